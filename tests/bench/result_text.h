// The text of a result file: JSON with one row a line, so that files are short and differences
// readable.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace spokelab::bench {

// A value on one line if it is short; else its members or elements, each on lines below. Elements
// of a list of objects always begin a line.
inline std::string resultText(const nlohmann::json& value, int indent = 0) {
  constexpr std::size_t maxLineChars = 4000;
  const std::string line = value.dump();
  const bool fits = indent > 0 && line.size() <= maxLineChars;
  if (fits || !value.is_structured() || value.empty()) return line;
  const std::string pad(std::size_t(indent), ' ');
  std::string text(1, value.is_array() ? '[' : '{');
  for (auto item = value.begin(); item != value.end(); ++item) {
    text += (item == value.begin() ? "\n" : ",\n") + pad + ' ';
    if (value.is_object()) text += nlohmann::json(item.key()).dump() + ':';
    const bool isRows = value.is_object() && item->is_array() && !item->empty() && item->front().is_object();
    if (!isRows) {
      text += resultText(*item, indent + 1);
      continue;
    }
    for (auto row = item->begin(); row != item->end(); ++row)
      text += (row == item->begin() ? "[\n" : ",\n") + pad + "  " + resultText(*row, indent + 2);
    text += '\n' + pad + " ]";
  }
  return text + '\n' + pad + (value.is_array() ? ']' : '}');
}

}  // namespace spokelab::bench
