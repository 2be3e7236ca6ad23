// One number of a text.
#pragma once

#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

namespace spokelab {

// NaN where the text is not one number from begin to end.
inline double textNumber(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size()) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace spokelab
