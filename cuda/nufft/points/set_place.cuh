// The place of a set's images and samples in the arrays of a pass. Image b of the set is image
// `image + b` of the pass. The sample of its point j (counted over all sets) has the index
//   first + b * points + j
// so a pass over whole sets has grids [set, image, z, y, x] and samples set after set, each
// [image, its points].
#pragma once

#include "cuda/nufft/points/tasks.h"

namespace spokelab::gpu {

struct SetPlace {
  std::int64_t image = 0, first = 0, points = 0;
};

// images: of a set.
__device__ __forceinline__ SetPlace placeOfSet(const SetView& sets, const SetRange& range, std::int64_t set,
                                               int images) {
  if (!sets.start) return {0, 0, range.points()};
  const std::int64_t begin = sets.start[set], end = sets.start[set + 1];
  return {(set - range.first) * images, (begin - range.begin) * images - begin, end - begin};
}

// The place of the set that contains point p.
__device__ __forceinline__ SetPlace placeOfPoint(const SetView& sets, const SetRange& range, std::int64_t p,
                                                 int images) {
  return placeOfSet(sets, range, sets.start ? sets.ofPoint[p] : 0, images);
}

// Bins are numbered set after set.
template <class Real>
__device__ __forceinline__ SetPlace placeOfBin(const OrderedPoints<Real>& points, const SetRange& range,
                                               std::uint32_t bin, int images) {
  return placeOfSet(points.sets, range, points.sets.start ? bin / points.binCount() : 0, images);
}

// The task of this thread block, or null if it has none.
__device__ __forceinline__ const Task* taskOfBlock(const TaskRange& tasks) {
  const std::uint32_t t = *tasks.begin + blockIdx.x;
  return t < *tasks.end ? tasks.tasks + t : nullptr;
}

// One block for each task and image. A kernel loops over images [blockIdx.y, batch) in steps of
// gridDim.y. Blocks of one image run at the same time, so their scattered reads and writes meet in
// the cache.
inline dim3 imageBlocks(const TaskRange& tasks, std::int64_t images) {
  constexpr std::int64_t maxBlocks = 65535;
  return {tasks.limit, unsigned(std::min(images, maxBlocks)), 1};
}

}  // namespace spokelab::gpu
