#include "engine/scan/read/frame_count.h"

#include <algorithm>

namespace spokelab {

int framesInFile(const Scan& scan) {
  const auto found = std::find_if(scan.decisions.begin(), scan.decisions.end(),
                                  [](const Decision& d) { return d.topic == "read-frames"; });
  return std::max(scan.frames, found == scan.decisions.end() ? 0 : found->among);
}

}  // namespace spokelab
