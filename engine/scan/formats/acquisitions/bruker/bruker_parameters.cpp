#include "engine/scan/formats/acquisitions/bruker/bruker_parameters.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::size_t maxWords = std::size_t{1} << 22;  // of a record

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '(' || c == ')';
}

// The sizes of a list, "( 2, 3 )", stand alone on the first line.
std::string_view withoutSizes(std::string_view value) {
  const std::size_t end = value.find('\n');
  if (end == std::string_view::npos || !value.starts_with('(')) return value;
  const std::string_view first = value.substr(0, end);
  const bool sizes = first.find_first_not_of("( 0123456789,)\r") == std::string_view::npos;
  return sizes && end + 1 < value.size() ? value.substr(end + 1) : value;
}

class Words {
 public:
  Words(std::string_view value, const std::string& problem) : rest_(value), problem_(problem) {}

  std::vector<std::string> all() {
    while (skipBlanks()) {
      if (rest_.front() == '<')
        text();
      else if (rest_.front() == '@')
        repeated();
      else
        add(plain(), 1);
    }
    return std::move(words_);
  }

 private:
  bool skipBlanks() {
    while (!rest_.empty() && isBlank(rest_.front())) rest_.remove_prefix(1);
    return !rest_.empty();
  }
  void add(std::string_view word, std::size_t times) {
    if (times > maxWords - words_.size())
      throw Error(problem_, "a list in it has more than " + std::to_string(maxWords) + " values",
                  "Copy the folder again");
    words_.insert(words_.end(), times, std::string(word));
  }
  std::string_view plain() {
    std::size_t end = 0;
    while (end < rest_.size() && !isBlank(rest_[end])) ++end;
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  void text() {
    const std::size_t end = std::min(rest_.find('>'), rest_.size());
    add(rest_.substr(1, end - 1), 1);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
  }
  // @N*(value)
  void repeated() {
    rest_.remove_prefix(1);
    std::size_t times = 0;
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), times);
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    if (failed != std::errc() || !rest_.starts_with("*(")) return;
    rest_.remove_prefix(2);
    add(plain(), times);
  }

  std::string_view rest_;
  const std::string& problem_;
  std::vector<std::string> words_;
};

}  // namespace

BrukerParameters::BrukerParameters(std::string_view text, const std::string& problem) {
  std::string name, value;
  const auto finish = [&] {
    if (!name.empty()) records_[name] = Words(withoutSizes(value), problem).all();
    name.clear();
    value.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("$$")) continue;
    if (!line.starts_with("##")) {
      (value += line) += '\n';
      continue;
    }
    finish();
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::size_t begin = line.starts_with("##$") ? 3 : 2;
    name = line.substr(begin, equals - std::min(equals, begin));
    value = std::string(line.substr(equals + 1)) + '\n';
  }
  finish();
  if (records_.empty()) throw Error(problem, "it holds no parameters (##$NAME=...)", "Copy the folder again");
}

const std::vector<std::string>& BrukerParameters::words(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto found = records_.find(name);
  return found == records_.end() ? none : found->second;
}

std::string BrukerParameters::word(const std::string& name, std::size_t index) const {
  const std::vector<std::string>& all = words(name);
  return index < all.size() ? all[index] : "";
}

std::optional<double> BrukerParameters::number(const std::string& name, std::size_t index) const {
  const std::string text = word(name, index);
  const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, failed] = std::from_chars(begin, text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::int64_t BrukerParameters::count(const std::string& name, std::size_t index,
                                     std::int64_t otherwise) const {
  constexpr double most = 1 << 30;
  const std::optional<double> value = number(name, index);
  return value && *value >= 1 && *value <= most ? std::int64_t(*value) : otherwise;
}

}  // namespace spokelab
