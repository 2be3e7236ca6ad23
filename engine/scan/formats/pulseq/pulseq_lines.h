// The lines of a Pulseq text without comments and blanks, and the words and numbers of a line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/progress.h"
#include "engine/core/text.h"

namespace spokelab {

class PulseqLines {
 public:
  PulseqLines(std::string_view text, std::string problem, const Progress& progress)
      : text_(text), problem_(std::move(problem)), progress_(progress) {}

  // The next line that is neither empty nor a comment; nothing at the end.
  bool next() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line_ = text_.substr(at_, end - at_);
      at_ = end + 1;
      if (++number_ % 65536 == 0)
        progress_.report(double(at_) / double(text_.size()), "Reading the sequence");
      const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
      while (!line_.empty() && space(line_.front())) line_.remove_prefix(1);
      while (!line_.empty() && space(line_.back())) line_.remove_suffix(1);
      if (!line_.empty() && line_.front() != '#') return true;
    }
    line_ = {};
    return false;
  }
  bool startsSection() const { return line_.starts_with('[') || line_.starts_with("extension "); }
  std::string_view line() const { return line_; }

  std::vector<std::string_view> words() const {
    std::vector<std::string_view> found;
    for (std::size_t i = 0; i < line_.size();) {
      const std::size_t begin = line_.find_first_not_of(" \t", i);
      if (begin == std::string_view::npos) break;
      i = std::min(line_.find_first_of(" \t", begin), line_.size());
      found.push_back(line_.substr(begin, i - begin));
    }
    return found;
  }
  double number(std::string_view word) const {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      fail("\"" + std::string(word.substr(0, 32)) + "\" is not a number");
    return value;
  }
  int integer(std::string_view word) const { return whole(number(word)); }
  // A number that is a count, or names an event.
  int whole(double value) const {
    constexpr double most = 2e9;
    if (value != std::floor(value) || std::abs(value) > most)
      fail(numberText(value) + " is not a whole number");
    return int(value);
  }
  // A row of numbers: at least `least`, the first ones of the line.
  std::vector<double> numbers(std::size_t least, std::size_t most = 32) const {
    const auto all = words();
    if (all.size() < least)
      fail("the line has " + std::to_string(all.size()) + " columns and needs " + std::to_string(least));
    std::vector<double> values;
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) values.push_back(number(all[i]));
    return values;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(problem_, "line " + std::to_string(number_) + ": " + why, "Write the sequence again");
  }
  const std::string& problem() const { return problem_; }

 private:
  std::string_view text_, line_;
  std::string problem_;
  const Progress& progress_;
  std::size_t at_ = 0, number_ = 0;
};

}  // namespace spokelab
