// Numbers, sizes, bytes, times and counts in words, and words for a shell: one function each for
// the whole program.
// None depends on the locale: the decimal point is always a point.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

// Up to `digits` significant digits, without trailing zeros: "1.25", "7.1e-06" (printf's %g).
std::string numberText(double value, int digits = 4);
// `decimals` digits behind the point: "2.50" (printf's %f); with a width at its right end, for
// columns.
std::string fixedText(double value, int decimals, std::size_t width = 0);
// One digit before the point, `decimals` behind it: "7.10e-06" (printf's %e).
std::string scientificText(double value, int decimals);
// The shortest text that reads back as the same number.
std::string exactNumberText(double value);
// The number at the begin of a text, blanks skipped; 0 without a number, infinity if it exceeds
// double.
double leadingNumber(std::string_view text);
// ASCII letters in lower case.
std::string lowerCase(std::string text);
// A hash as 16 hexadecimal digits.
std::string hashText(std::uint64_t hash);

// A share of 1: "12%", "12.5%".
std::string percentText(double share, int decimals = 0);
// "13.2 ms", "4.21 s". `micro` is the unit below a millisecond: "µs" where all can show it.
std::string secondsText(double seconds, int digits = 3, std::string_view micro = "us");
// "13.2 ms", whatever the time.
std::string millisecondsText(double seconds, int digits = 3);
// "3.4 GB", decimal.
std::string bytesText(double bytes);
// "13 MB", decimal, rounded up.
std::string megabytesText(std::int64_t bytes);

// "1 shot", "3 shots". `many`: the plural where it is not `one` with an s.
std::string countText(std::int64_t count, const std::string& one, const std::string& many = {});

// The first `dims` of `sizes`: "256x256", or with a separator of " x " "256 x 256".
template <class Sizes>
std::string sizeText(const Sizes& sizes, int dims, std::string_view separator = "x") {
  std::string text;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
    if (d > 0) text += separator;
    text += std::to_string(sizes[d]);
  }
  return text;
}

// The sizes of an array of any number of dimensions: "128 x 96 x 8", and "1" for a scalar.
std::string shapeText(const std::vector<std::int64_t>& shape);

// The name that was probably meant by `word`: one that begins with it, else the one with the fewest
// letters changed, added, left out or swapped with their neighbour (optimal string alignment), at
// most a third of the word's. Empty: none is near.
std::string nearestName(const std::string& word, const std::vector<std::string>& names);
// "Did you mean 'accuracy'? ", or nothing.
std::string didYouMean(const std::string& word, const std::vector<std::string>& names);

std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");
// Filled up to `width` bytes, for the columns of a table: numbers end at the right, words begin at
// the left.
std::string rightAligned(const std::string& text, std::size_t width, char fill = ' ');
std::string leftAligned(const std::string& text, std::size_t width);

// A word as a shell reads it back: quoted where it holds anything but letters, digits and
// _-+=.,:/%@.
std::string shellWord(const std::string& word);

}  // namespace spokelab
