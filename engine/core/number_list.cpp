#include "engine/core/number_list.h"

#include <charconv>
#include <cmath>
#include <set>

#include "engine/core/error.h"

namespace spokelab {
namespace {

// Fewer numbers are written one by one.
constexpr int minStridedCount = 3;

// One item of a list; last < 0: the range has no end.
struct Range {
  int first = 0, last = 0, stride = 1;
};

const char* readItem(const char* at, const char* end, Range& range, bool& fine) {
  auto read = std::from_chars(at, end, range.first);
  fine = read.ec == std::errc() && range.first >= 0;
  range.last = range.first;
  bool several = false;
  if (fine && read.ptr != end && *read.ptr == '-') {
    several = true;
    const char* const after = read.ptr + 1;
    if (after == end || *after == ',' || *after == ':') {
      range.last = -1;
      read.ptr = after;
    } else {
      read = std::from_chars(after, end, range.last);
      fine = read.ec == std::errc() && range.last >= range.first;
    }
  }
  if (fine && several && read.ptr != end && *read.ptr == ':') {
    read = std::from_chars(read.ptr + 1, end, range.stride);
    fine = read.ec == std::errc() && range.stride >= 1;
  }
  fine = fine && (read.ptr == end || *read.ptr == ',');
  return read.ptr;
}

std::string bounds(int count) {
  return std::to_string(count) + (count == 1 ? " (number 0)" : " (0 to " + std::to_string(count - 1) + ")");
}

}  // namespace

std::vector<int> numberList(const std::string& text, int count, const std::string& summary,
                            const std::string& owner) {
  const std::string remedy = "Write numbers from 0, ranges and strides, as in 0-3,7 or 0-:4";
  std::set<int> chosen;
  if (text.empty() || text == "all") {
    for (int i = 0; i < count; ++i) chosen.insert(i);
    return {chosen.begin(), chosen.end()};
  }
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    Range range;
    bool fine = false;
    at = readItem(at, end, range, fine);
    if (!fine) throw Error(summary, "\"" + text + "\" is not a list of numbers", remedy);
    if (count > 0) {
      const int largestNumber = std::max(range.first, range.last);
      if (largestNumber >= count)
        throw Error(summary,
                    "number " + std::to_string(largestNumber) + " is asked for, but " + owner + " has " +
                        bounds(count),
                    remedy);
      const int last = range.last < 0 ? count - 1 : range.last;
      for (int i = range.first; i <= last; i += std::min(range.stride, count)) chosen.insert(i);
    }
    if (at == end) break;
    ++at;
  }
  return {chosen.begin(), chosen.end()};
}

std::string numberListText(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    const int stride = i + 1 < numbers.size() ? numbers[i + 1] - numbers[i] : 1;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + stride) ++end;
    const bool range = stride == 1 ? end > i : int(end - i) >= minStridedCount - 1;
    if (!range) end = i;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (range) text += '-' + std::to_string(numbers[end]);
    if (range && stride > 1) text += ':' + std::to_string(stride);
    i = end + 1;
  }
  return text;
}

std::vector<double> realNumberList(const std::string& text, const std::string& summary) {
  const std::string remedy = "Write numbers or ranges from:to:step, as in 1.25,1.5 or 1.25:2:0.25";
  constexpr std::size_t rangeParts = 3;
  constexpr double slack = 1e-9;  // of a step: 1.1:1.3:0.1 has three numbers
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::vector<double> parts;
    while (true) {
      double value = 0;
      const auto read = std::from_chars(at, end, value);
      const bool fine =
          read.ec == std::errc() && std::isfinite(value) && value > 0 && parts.size() < rangeParts;
      if (!fine) throw Error(summary, "\"" + text + "\" is not a list of numbers above 0", remedy);
      parts.push_back(value);
      at = read.ptr;
      if (at == end || *at != ':') break;
      ++at;
    }
    if (parts.size() == 1) parts = {parts[0], parts[0], 1};
    if (parts.size() != rangeParts || parts[1] < parts[0])
      throw Error(summary,
                  "\"" + text + "\" has a range that does not go from a number up to another by a step",
                  remedy);
    const double steps = std::floor((parts[1] - parts[0]) / parts[2] + slack);
    if (double(numbers.size()) + steps + 1 > double(maxRealNumbers))
      throw Error(summary, "\"" + text + "\" has more than " + std::to_string(maxRealNumbers) + " numbers",
                  "Make the step larger");
    for (int i = 0; i <= int(steps); ++i) numbers.push_back(parts[0] + i * parts[2]);
    if (at == end) break;
    if (*at != ',') throw Error(summary, "\"" + text + "\" is not a list of numbers above 0", remedy);
    ++at;
  }
  return numbers;
}

NumberWindow numberWindow(const std::string& text, const std::string& summary) {
  NumberWindow window;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, window.low);
  bool fine = read.ec == std::errc() && std::isfinite(window.low) && read.ptr != end && *read.ptr == '-';
  if (fine && read.ptr + 1 != end) {
    read = std::from_chars(read.ptr + 1, end, window.high);
    fine = read.ec == std::errc() && read.ptr == end && std::isfinite(window.high);
  }
  const std::string remedy = "Write two times, as in 0.5-3, or 0.5- for all after";
  if (!fine) throw Error(summary, "\"" + text + "\" is not a window", remedy);
  if (window.low > window.high) throw Error(summary, "\"" + text + "\" ends before it begins", remedy);
  return window;
}

}  // namespace spokelab
