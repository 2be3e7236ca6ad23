#include "engine/scan/formats/images/dicom/dicom_tree.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>

namespace spokelab {
namespace {

constexpr std::string_view blanks(" \t\r\n\0", 5);

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace

std::string DicomItem::text(std::uint32_t tag) const {
  const DicomElement* const e = find(tag);
  return e ? std::string(trimmed(e->text)) : std::string();
}

double DicomItem::number(std::uint32_t tag, std::size_t index) const {
  constexpr double noValue = std::numeric_limits<double>::quiet_NaN();
  const DicomElement* const e = find(tag);
  if (!e) return noValue;
  std::string_view rest = e->text;
  for (; index > 0; --index) {
    const std::size_t end = rest.find('\\');
    if (end == std::string_view::npos) return noValue;
    rest.remove_prefix(end + 1);
  }
  std::string_view one = trimmed(rest.substr(0, rest.find('\\')));
  if (one.starts_with('+')) one.remove_prefix(1);
  double value = noValue;
  const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
  return error == std::errc() && end == one.data() + one.size() ? value : noValue;
}

const DicomItem& DicomItem::inside(std::uint32_t tag) const {
  static const DicomItem none;
  const DicomElement* const e = find(tag);
  return e && !e->items.empty() ? e->items.front() : none;
}

std::string decimalText(double value) {
  constexpr int maxCharacters = 16, mostDigits = 15;
  std::array<char, 40> text{};
  for (int digits = mostDigits; digits > 0; --digits) {
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
    if (error == std::errc() && end - text.data() <= maxCharacters) return {text.data(), end};
  }
  return "0";
}

}  // namespace spokelab
