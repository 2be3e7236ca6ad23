#include "engine/core/text.h"

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

}  // namespace

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
