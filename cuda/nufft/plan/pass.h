// A call works through its images in passes: some images of a batch at a time, or, with several
// sets of points, all images of some sets. Arrays are [set][image][pixel] and [set][image][point],
// the sets of different numbers of points.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/nufft/points/point_sets.h"

namespace spokelab::gpu {

struct Pass {
  SetRange sets;  // the sets of this pass
  std::int64_t imagesOfSet = 1;
  // The pass's first image and first sample in the caller's arrays.
  std::int64_t firstImage = 0, firstSample = 0;

  std::int64_t images() const { return sets.count * imagesOfSet; }
  std::int64_t samples() const { return imagesOfSet * sets.points(); }
};

// images: images of a pass if there is one set; setsAtOnce: sets of a pass if there are several,
// each with all its images. Both are at least 1. The last pass may have fewer.
inline std::vector<Pass> passesOf(const DeviceSets& sets, std::int64_t batch, std::int64_t images,
                                  std::int64_t setsAtOnce) {
  std::vector<Pass> passes;
  for (std::int64_t s = 0; s < sets.count(); s += setsAtOnce) {
    const SetRange range = sets.range(s, std::min(setsAtOnce, sets.count() - s));
    const std::int64_t imagesPerPass = sets.count() > 1 ? batch : images;
    for (std::int64_t b = 0; b < batch; b += imagesPerPass)
      passes.push_back({range, std::min(imagesPerPass, batch - b), s * batch + b,
                        range.begin * batch + b * range.points()});
  }
  return passes;
}

}  // namespace spokelab::gpu
