#include "engine/recon/prepare/job_slabs.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/prepare/map_files.h"

namespace spokelab {

std::string whyNotInSlabs(const Scan& scan, const ReconOptions& options) {
  if (scan.dims() < 3) return "the images have two dimensions";
  if (options.exact) return "exact sums have no grid";
  const IterativeOptions& iterative = options.iterative;
  if (iterative.method == ReconMethod::gridding) return {};
  if (iterative.method == ReconMethod::pcSense) return "pcSENSE has a plan for each shot";
  if (iterative.transform != TransformKind::nufft && iterative.transform != TransformKind::automatic)
    return "the transform is " + std::string(transformName(iterative.transform));
  if (isToeplitz(options.nufft.normal)) return "a Toeplitz form convolves whole images";
  if (iterative.transform == TransformKind::automatic && mayHaveField(scan, iterative))
    return "there may be a field map";
  return {};
}

std::int64_t jobSlabs(const Scan& scan, const ReconOptions& options) {
  if (options.slabs < 2 || !whyNotInSlabs(scan, options).empty()) return 1;
  const std::int64_t planes = scan.geometry.matrix[2];
  if (options.slabs > planes)
    throw Error("Cannot transform in " + std::to_string(options.slabs) + " slabs",
                "the volume has " + countText(planes, "plane", "planes"), "Use fewer slabs");
  const std::int64_t length = (planes + options.slabs - 1) / options.slabs;
  return (planes + length - 1) / length;
}

}  // namespace spokelab
