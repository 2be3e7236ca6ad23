#include "engine/recon/prepare/slice_selection.h"

#include <string>

#include "engine/core/error.h"

namespace spokelab {

std::vector<int> slicesAskedFor(const Scan& scan, const ReconOptions& options) {
  if (scan.dims() == 3 && !options.slices.empty())
    throw Error("Cannot reconstruct slices " + options.slices + " of " + scan.name,
                "the scan is 3-D: its volume is reconstructed as a whole, all " +
                    std::to_string(scan.geometry.matrix[2]) + " planes at once",
                "Leave out slices (--slices); every plane is in the image");
  return selection(options.slices, scan.slices, "slices");
}

}  // namespace spokelab
