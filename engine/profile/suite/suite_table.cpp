#include "engine/profile/suite/suite_table.h"

#include <algorithm>

namespace spokelab {

void SuiteTable::add(const std::string& name, const std::string& csv) {
  const std::size_t head = csv.find('\n');
  if (head == std::string::npos) return;
  const std::string title = "case," + csv.substr(0, head + 1);
  if (title != head_) text_ += (text_.empty() ? "" : "\n") + title;
  head_ = title;
  for (std::size_t at = head + 1; at < csv.size();) {
    const std::size_t end = std::min(csv.find('\n', at), csv.size() - 1);
    text_ += '"' + name + "\"," + csv.substr(at, end + 1 - at);
    at = end + 1;
  }
}

}  // namespace spokelab
