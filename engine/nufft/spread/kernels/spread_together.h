// Spreading and interpolation of several images (coils, frames) at once. Their grids lie side by side, a cell holds the
// numbers of all of them: g[cell][image]. Kernel values are computed once for a point, and vectors run across images
// within a cell instead of along a row, so that no lane is spent on cells beyond the kernel. Samples stay apart, an image
// at a time. Two and three dimensions; the loops are in together_loops.h.
#pragma once

#include "engine/nufft/spread/kernels/spread.h"

namespace spokelab {

inline constexpr int imagesSideBySide = 4;  // in a cell: a vector of 32 bytes in single precision
inline constexpr int fewestSideBySide = 3;  // fewer are faster one by one (measured)

// One image in a grid of its own, or `count` in a grid whose cells hold imagesSideBySide numbers.
struct ImageSet {
  int count = 1;
  bool sideBySide = false;
  std::int64_t sampleStep = 0;  // from one image's samples to the next one's

  int numbers() const { return sideBySide ? imagesSideBySide : 1; }  // a cell
};

// Points of one tile, as TileJob has them; `grid`, strideY and strideZ count cells' numbers of all images.
template <class Real>
struct TogetherJob : TileJob<Real> {
  int images = imagesSideBySide;  // that there are samples of: the others spread zeros
  std::int64_t sampleStep = 0;    // from one image's samples to the next one's
};

template <class Real>
using TogetherFunction = void (*)(const TogetherJob<Real>&);

template <class Real>
struct TogetherFunctions {
  TogetherFunction<Real> spread[4][largestKernelCells + 1] = {};  // [dims][ceil(W)]
  TogetherFunction<Real> interpolate[4][largestKernelCells + 1] = {};
};

// stored: kernel values are those of TileJob::values instead of evaluated.
template <class Real>
const TogetherFunctions<Real>& togetherFunctions(InstructionSet set, bool stored);

// What the files of the instruction sets provide: [stored].
extern const TogetherFunctions<float> togetherFloatPortable[2];
extern const TogetherFunctions<double> togetherDoublePortable[2];
#ifdef SPOKELAB_X86_64
extern const TogetherFunctions<float> togetherFloatAvx2[2], togetherFloatAvx512[2];
extern const TogetherFunctions<double> togetherDoubleAvx2[2], togetherDoubleAvx512[2];
#endif

}  // namespace spokelab
