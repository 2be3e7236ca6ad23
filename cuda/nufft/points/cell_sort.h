// Points of a 1-D transform sorted to the grid cell. The keys of the sort are the points' places
// (locate.cuh), compared by the bits of the cell alone: once sorted they are the places in order,
// so that no coordinate is read a second time through the permutation, which costs random points
// more than a pass of the sort. Stable, so that results do not depend on timing.
#pragma once

#include <cstdint>

#include "cuda/device/buffer.h"
#include "cuda/nufft/points/key_sorter.h"

namespace spokelab::gpu {

struct CellShape {
  int grid = 0;          // cells
  double halfWidth = 0;  // of the kernel, in cells
  int bits = 0;          // of a place for the fraction of a cell
};

// Arrays in order. Word: of a place, 32 or 64 bits.
template <class Word>
struct CellOrder {
  DeviceBuffer<Word>& places;                // [points]
  DeviceBuffer<std::uint32_t>& permutation;  // [points + sortPadding]
  DeviceBuffer<std::uint32_t>& cellStart;    // [cells + 1]: the first point of each cell
};

class CellSorter {
 public:
  // coordinates: device, [count], cycles per pixel; *notFinite (device) is set to 1 where one is
  // NaN or infinite. room: scratch that is taken where it is large enough.
  template <class Word>
  void sort(const CellShape& shape, const double* coordinates, std::int64_t count, int* notFinite, Loan room,
            const CellOrder<Word>& order, cudaStream_t stream);
  std::int64_t memory() const { return otherPlaces_.bytes() + otherNumbers_.bytes() + scratch_.bytes(); }
  // Bytes beside the order's own.
  static std::int64_t estimate(std::int64_t count, std::int64_t wordBytes);

 private:
  DeviceBuffer<char> otherPlaces_, otherNumbers_, scratch_;
  ScratchBytes scratchBytes_;
};

}  // namespace spokelab::gpu
