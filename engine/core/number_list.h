// Lists of numbers as people write them: "0-3,7".
#pragma once

#include <string>
#include <vector>

namespace spokelab {

// "0-3,7" -> 0, 1, 2, 3, 7 (ascending, each once); "" or "all": 0 ... count - 1. Throws Error(summary, ...) for
// what cannot be read, and for a number that is not below `count`.
std::vector<int> numberList(const std::string& text, int count, const std::string& summary);

}  // namespace spokelab
