// Checks of texts that rows of the table name. Each throws Error with `summary`.
#pragma once

#include <string>

#include "engine/core/number_list.h"

namespace spokelab {

inline void checkNumbers(const std::string& value, const std::string& summary) {
  numberList(value, 0, summary);
}

inline void checkValues(const std::string& value, const std::string& summary) {
  realNumberList(value, summary);
}

inline void checkWindow(const std::string& value, const std::string& summary) {
  numberWindow(value, summary);
}

}  // namespace spokelab
