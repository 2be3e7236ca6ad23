#include "engine/core/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace spokelab {
namespace {

// Longer than the longest double in fixed notation: 309 digits, a sign, a point and the decimals.
constexpr std::size_t maxNumberLength = 400;
constexpr double millisecond = 1e-3, microsecond = 1e-6;

std::string formatted(double value, std::chars_format format, int precision) {
  std::array<char, maxNumberLength> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  return {text.data(), end.ptr};
}

// As numberText, but whole numbers with more digits than that are written in full, not as 1.2e+02.
std::string plainText(double value, int digits) {
  const std::string text = numberText(value, digits);
  constexpr double maxWritten = 1e15;
  return text.find("e+") != std::string::npos && value < maxWritten ? fixedText(value, 0) : text;
}

// Optimal string alignment: changes, additions, omissions and swaps of neighbours.
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({changed, d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearestName(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t minBegin = 3, maxLength = 64, lettersPerEdit = 3;
  if (word.empty() || word.size() > maxLength) return {};
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / lettersPerEdit) + 1;
  for (const std::string& name : names) {
    const bool begins = word.size() >= minBegin && name.starts_with(word);
    const std::size_t edits = begins ? 0 : editDistance(lowerCase(word), lowerCase(name));
    if (edits >= fewest || edits >= name.size()) continue;
    fewest = edits;
    best = name;
  }
  return best;
}

std::string didYouMean(const std::string& word, const std::vector<std::string>& names) {
  const std::string name = nearestName(word, names);
  return name.empty() ? "" : "Did you mean '" + name + "'? ";
}

std::string numberText(double value, int digits) {
  return formatted(value, std::chars_format::general, digits);
}

std::string fixedText(double value, int decimals, std::size_t width) {
  return rightAligned(formatted(value, std::chars_format::fixed, decimals), width);
}

std::string scientificText(double value, int decimals) {
  return formatted(value, std::chars_format::scientific, decimals);
}

std::string exactNumberText(double value) {
  std::array<char, maxNumberLength> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

double leadingNumber(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  double value = 0;
  if (first != std::string_view::npos &&
      std::from_chars(text.data() + first, text.data() + text.size(), value).ec ==
          std::errc::result_out_of_range)
    return std::numeric_limits<double>::infinity();
  return value;
}

std::string lowerCase(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

std::string hashText(std::uint64_t hash) {
  constexpr int hexadecimal = 16;
  constexpr std::size_t digits = 16;
  std::array<char, digits> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), hash, hexadecimal);
  return rightAligned({text.data(), end.ptr}, digits, '0');
}

std::string percentText(double share, int decimals) {
  constexpr double hundred = 100;
  return fixedText(hundred * share, decimals) + '%';
}

std::string millisecondsText(double seconds, int digits) {
  return plainText(seconds / millisecond, digits) + " ms";
}

std::string secondsText(double seconds, int digits, std::string_view micro) {
  if (seconds >= 1) return plainText(seconds, digits) + " s";
  if (seconds >= millisecond) return millisecondsText(seconds, digits);
  return plainText(seconds / microsecond, digits) + ' ' + std::string(micro);
}

std::string bytesText(double bytes) {
  static constexpr std::array<const char*, 7> units = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  constexpr double step = 1000, firstWithoutDecimals = 10;
  std::size_t unit = 0;
  while (bytes >= step && unit + 1 < units.size()) {
    bytes /= step;
    ++unit;
  }
  return fixedText(bytes, bytes < firstWithoutDecimals && unit > 0 ? 1 : 0) + ' ' + units[unit];
}

std::string megabytesText(std::int64_t bytes) {
  constexpr std::int64_t megabyte = 1000000;
  return std::to_string((bytes + megabyte - 1) / megabyte) + " MB";
}

std::string countText(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many.empty() ? one + 's' : many);
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return shape.empty() ? "1" : sizeText(shape, static_cast<int>(shape.size()), " x ");
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += separator;
    text += words[i];
  }
  return text;
}

std::string rightAligned(const std::string& text, std::size_t width, char fill) {
  return text.size() < width ? std::string(width - text.size(), fill) + text : text;
}

std::string leftAligned(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string shellWord(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + '\'';
}

}  // namespace spokelab
