// Cells of a CSV file (RFC 4180).
#pragma once

#include <string>

#include "engine/core/text.h"

namespace spokelab::csv {

// Names and exact decimal texts do not hold commas, but a reason for a refusal may.
inline std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string q = "\"";
  for (const char c : text) q += c == '"' ? std::string("\"\"") : std::string(1, c);
  return q + "\"";
}

inline std::string number(double v) {
  constexpr int digits = 9;  // a float is read back exactly
  return numberText(v, digits);
}

}  // namespace spokelab::csv
