// Text in pages of HTML.
#pragma once

#include <string>

namespace spokelab {

inline std::string escapedHtml(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

}  // namespace spokelab
