// Lists of numbers and windows as people write them: "0-3,7", "0-:4", "0.5-3", "16x16x8".
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spokelab {

// Reads numbers from 0: "7", ranges "0-3", open ranges "12-" (to the last), each with a stride
// behind a colon: "0-:4" is every fourth. Items are joined by commas. Returns the numbers
// ascending, each once; for "" or "all" 0 ... count - 1. Throws Error(summary, ...) for text that
// cannot be read, and for a number that is not below `count`; its reason names `owner`, which has
// `count` of them. With a count of 0 only the form is checked.
std::vector<int> numberList(const std::string& text, int count, const std::string& summary,
                            const std::string& owner = "the scan");

// The shortest such list of ascending numbers: 0, 1, 3 -> "0-1,3"; 0, 4, 8, 12 -> "0-12:4".
std::string numberListText(const std::vector<int>& numbers);

// Real numbers: items "1.5" and ranges "1.25:2:0.25" (from, to, step; both ends inside), joined by
// commas; -> as they are written, ranges unrolled. Throws Error(summary, ...) for what cannot be
// read, for numbers that are not above 0, and for more than maxRealNumbers.
std::vector<double> realNumberList(const std::string& text, const std::string& summary);
inline constexpr std::size_t maxRealNumbers = 1000;

// low ... high, both inside.
struct NumberWindow {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool contains(double value) const { return value >= low && value <= high; }
};

// "0.5-3", "0.5-" (and all after), "-2--1" (negative ones). Throws Error(summary, ...) for what
// cannot be read.
NumberWindow numberWindow(const std::string& text, const std::string& summary);

// Parses "16x16x8": one to three numbers above 0, missing ones are 0. No value if the text is not
// such a list.
template <class T>
std::optional<std::array<T, 3>> threeNumbers(const std::string& text) {
  std::array<T, 3> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (T& number : numbers) {
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || !(number > 0)) return std::nullopt;
    if (read.ptr == end) return numbers;
    if (*read.ptr != 'x') return std::nullopt;
    at = read.ptr + 1;
  }
  return std::nullopt;
}

}  // namespace spokelab
