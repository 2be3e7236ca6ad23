#include "engine/scan/formats/acquisitions/twix/twix_protocol.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "engine/scan/formats/acquisitions/twix/twix_file.h"

namespace spokelab {
namespace {

constexpr const char* protocolBlanks = " \t\r\n";
constexpr std::size_t maxValueBytes = 1024;  // longer texts are not among the parameters that are read

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(protocolBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(protocolBlanks) - first + 1);
}

// VB writes some texts in two pairs of quotes.
std::string unquoted(std::string_view text) {
  while (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return printable(text.substr(0, maxValueBytes));
}

std::optional<double> valueOf(std::string_view text) {
  text = withoutBlanks(text);
  const char* const end = text.data() + text.size();
  if (text.starts_with("0x")) {
    std::uint64_t value = 0;
    const auto [at, failed] = std::from_chars(text.data() + 2, end, value, 16);
    if (failed != std::errc() || at != end) return std::nullopt;
    return double(value);
  }
  double value = 0;
  const auto [at, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Words of a parameter between its braces; attributes like <Precision> 6 are left out.
std::vector<std::string> wordsOf(std::string_view text) {
  constexpr std::size_t maxWords = 4096;
  std::vector<std::string> words;
  bool attribute = false;
  for (std::size_t at = 0; words.size() < maxWords;) {
    at = text.find_first_not_of(protocolBlanks, at);
    if (at == std::string_view::npos || text[at] == '{') break;
    std::size_t end = 0;
    if (text[at] == '<') {
      end = text.find('>', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
      attribute = true;
      continue;
    }
    if (text[at] == '"') {
      end = text.find('"', at + 1);
      end = end == std::string_view::npos ? text.size() : end + 1;
    } else {
      end = std::min(text.find_first_of(" \t\r\n<\"", at), text.size());
    }
    if (!attribute) words.push_back(unquoted(text.substr(at, end - at)));
    attribute = false;
    at = end;
  }
  return words;
}

// The text up to the brace that closes a parameter's values; braces in quotes do not count.
std::string_view braced(std::string_view text) {
  bool quoted = false;
  constexpr std::size_t maxBytes = 1 << 16;
  for (std::size_t i = 0; i < text.size() && i < maxBytes; ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '}' && !quoted) return text.substr(0, i);
  }
  return {};
}

}  // namespace

TwixProtocol::TwixProtocol(std::string header) : header_(std::move(header)) {
  // The header begins with its number of bytes and its number of parts (4 bytes each). A part is
  // its name, a zero, the number of its bytes (4 bytes), and these bytes. The loop ends at the
  // first part that does not fit, so the number of parts is not needed.
  std::string_view rest = header_;
  constexpr std::size_t lead = 8, lengthBytes = 4;
  rest.remove_prefix(std::min(lead, rest.size()));
  std::vector<std::string_view> names;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\0');
    if (end == std::string_view::npos || end == 0 || rest.size() - end - 1 < lengthBytes) break;
    std::uint32_t length = 0;
    std::memcpy(&length, rest.data() + end + 1, lengthBytes);
    names.push_back(rest.substr(0, end));
    rest.remove_prefix(end + 1 + lengthBytes);
    parts_.push_back(rest.substr(0, length));
    rest.remove_prefix(std::min<std::size_t>(length, rest.size()));
  }
  // Both parts can hold the list: Phoenix is read only if MeasYaps gave nothing.
  for (const char* const wanted : {"MeasYaps", "Phoenix"})
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (names[i] == wanted && listed_.empty()) readList(parts_[i]);
}

void TwixProtocol::readList(std::string_view part) {
  const std::size_t begin = part.find("### ASCCONV BEGIN");
  if (begin == std::string_view::npos) return;
  part.remove_prefix(begin);
  while (!part.empty()) {
    const std::size_t end = std::min(part.find('\n'), part.size());
    const std::string_view line = part.substr(0, end);
    part.remove_prefix(std::min(end + 1, part.size()));
    if (line.find("### ASCCONV END") != std::string_view::npos) return;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || line.starts_with("###")) continue;
    const std::string_view name = withoutBlanks(line.substr(0, equals)),
                           value = withoutBlanks(line.substr(equals + 1));
    if (!name.empty())
      listed_.insert_or_assign(std::string(name), std::string(value.substr(0, maxValueBytes)));
  }
}

std::optional<double> TwixProtocol::number(std::string_view name) const {
  const auto found = listed_.find(name);
  return found == listed_.end() ? std::nullopt : valueOf(found->second);
}

std::string TwixProtocol::text(std::string_view name) const {
  const auto found = listed_.find(name);
  return found == listed_.end() ? "" : unquoted(found->second);
}

std::vector<std::pair<std::string, std::string>> TwixProtocol::startingWith(std::string_view name) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (auto at = listed_.lower_bound(name); at != listed_.end() && at->first.starts_with(name); ++at)
    found.emplace_back(at->first, unquoted(at->second));
  return found;
}

std::vector<std::string> TwixProtocol::nested(std::string_view name) const {
  const std::string tag = ".\"" + std::string(name) + "\">";
  constexpr int maxTries = 64;
  int tries = 0;
  for (const std::string_view part : parts_)
    for (std::size_t at = part.find(tag); at != std::string_view::npos && tries < maxTries;
         at = part.find(tag, at + 1), ++tries) {
      const std::size_t brace = part.find_first_not_of(protocolBlanks, at + tag.size());
      if (brace == std::string_view::npos || part[brace] != '{') continue;
      std::vector<std::string> words = wordsOf(braced(part.substr(brace + 1)));
      if (!words.empty()) return words;
    }
  return {};
}

std::optional<double> TwixProtocol::nestedNumber(std::string_view name) const {
  const std::vector<std::string> words = nested(name);
  return words.empty() ? std::nullopt : valueOf(words.front());
}

std::string TwixProtocol::nestedText(std::string_view name) const {
  const std::vector<std::string> words = nested(name);
  return words.empty() ? "" : words.front();
}

}  // namespace spokelab
