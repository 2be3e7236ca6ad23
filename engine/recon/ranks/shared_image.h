// The image of ranks that are threads of one process: each writes its part to its place. It
// outlives all of them, so that one that fails leaves the others a place.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/prepare/job_image.h"

namespace spokelab {

class SharedImage {
 public:
  // All ranks call it: rank 0 makes room for `frames` frames and these slices of its scan. Returns
  // where the pixels from `first` on go, counted in frames, or in slices if `ofSlices`. Throws
  // Error (memory), Cancelled.
  ImagePlace place(Ranks& ranks, const Scan& scan, int frames, const std::vector<int>& slices, bool inDouble,
                   std::int64_t first, bool ofSlices, const Progress& progress);
  // The whole image, for rank 0 once all have written. Name, geometry and provenance are those of
  // `part`, rank 0's image of its share.
  std::shared_ptr<const Image> take(const Image& part);

 private:
  std::shared_ptr<Image> image_;
};

}  // namespace spokelab
