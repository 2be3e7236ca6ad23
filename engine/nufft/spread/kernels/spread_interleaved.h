// Spreading and interpolation of a few images (coils, frames) at once. Their grids are interleaved:
// a cell holds a number of each image, g[cell][image]. Kernel values are computed once for a point,
// and vectors run across the images of a cell instead of along a row, so that no lane is spent on
// cells beyond the kernel. Samples are not interleaved: they lie one image after the other. Two and
// three dimensions; the loops are in interleaved_loops.h.
#pragma once

#include "engine/nufft/spread/kernels/spread.h"

namespace spokelab {

// Images in a cell: their complex numbers fill a vector of 32 bytes in single precision.
inline constexpr int interleavedImages = 4;
// Fewer images are faster one by one (measured).
inline constexpr int minInterleavedImages = 3;

// One image in a separate grid, `count` in a grid with room for interleavedImages a cell, or
// `count` lines (1-D) with a grid each, one after the other.
struct ImageSet {
  int count = 1;
  bool interleaved = false;
  std::int64_t sampleStep = 0;  // from one image's samples to the next one's

  int imagesPerCell() const { return interleaved ? interleavedImages : 1; }
  int grids() const { return interleaved ? 1 : count; }
};

// Calls work(number, its images) for each grid of a set.
template <class Work>
void forGrids(const ImageSet& images, const Work& work) {
  const ImageSet own{images.interleaved ? images.count : 1, images.interleaved, images.sampleStep};
  for (std::int64_t i = 0; i < images.grids(); ++i) work(i, own);
}

// Points of one tile, as TileJob has them; `grid`, strideY and strideZ count complex numbers,
// interleavedImages a cell.
template <class Real>
struct InterleavedJob : TileJob<Real> {
  int images = interleavedImages;  // images with samples: the others of a cell spread zeros
  std::int64_t sampleStep = 0;     // from one image's samples to the next one's
};

template <class Real>
using InterleavedFunction = void (*)(const InterleavedJob<Real>&);

template <class Real>
struct InterleavedFunctions {
  InterleavedFunction<Real> spread[4][maxKernelCells + 1] = {};  // [dims][ceil(W)]
  InterleavedFunction<Real> interpolate[4][maxKernelCells + 1] = {};
};

// stored: kernel values are read from TileJob::values instead of evaluated.
template <class Real>
const InterleavedFunctions<Real>& interleavedFunctions(InstructionSet set, bool stored);

// The tables that the files in instances/ define: [stored].
extern const InterleavedFunctions<float> interleavedFloatPortable[2];
extern const InterleavedFunctions<double> interleavedDoublePortable[2];
#ifdef SPOKELAB_X86_64
extern const InterleavedFunctions<float> interleavedFloatAvx2[2], interleavedFloatAvx512[2];
extern const InterleavedFunctions<double> interleavedDoubleAvx2[2], interleavedDoubleAvx512[2];
#endif

}  // namespace spokelab
