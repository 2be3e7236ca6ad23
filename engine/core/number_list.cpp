#include "engine/core/number_list.h"

#include <charconv>
#include <set>

#include "engine/core/error.h"

namespace spokelab {

std::vector<int> numberList(const std::string& text, int count, const std::string& summary) {
  const std::string remedy = "Write numbers from 0 and ranges, as in 0-3,7";
  std::set<int> chosen;
  if (text.empty() || text == "all")
    for (int i = 0; i < count; ++i) chosen.insert(i);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (chosen.empty() || at != text.data()) {
    int first = 0;
    auto read = std::from_chars(at, end, first);
    int last = first;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
      read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc() || first < 0 || last < first || (read.ptr != end && *read.ptr != ','))
      throw Error(summary, "\"" + text + "\" is not a list of numbers", remedy);
    if (last >= count)
      throw Error(summary,
                  "number " + std::to_string(last) + " is asked for, and there are " + std::to_string(count) +
                      " (from 0)",
                  remedy);
    for (int i = first; i <= last; ++i) chosen.insert(i);
    if (read.ptr == end) break;
    at = read.ptr + 1;
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace spokelab
