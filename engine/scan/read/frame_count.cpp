#include "engine/scan/read/frame_count.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace spokelab {

int framesInFile(const Scan& scan) {
  const auto found = std::find_if(scan.decisions.begin(), scan.decisions.end(),
                                  [](const Decision& d) { return d.topic == "read-frames"; });
  if (found == scan.decisions.end()) return scan.frames;
  // "set by the user; by itself: all (there are 12)"
  constexpr std::string_view before = "there are ";
  const std::string& evidence = found->evidence;
  const std::size_t said = evidence.rfind(before);
  if (said == std::string::npos) return scan.frames;
  int count = 0;
  std::from_chars(evidence.data() + said + before.size(), evidence.data() + evidence.size(), count);
  return std::max(count, scan.frames);
}

}  // namespace spokelab
