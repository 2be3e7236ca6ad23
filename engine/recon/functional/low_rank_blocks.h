// The proximal map of the nuclear norms of an image's blocks, over frames [frame, pixel]: each
// block is a matrix X of a row for each pixel and a column for each frame, and
//   X = argmin_X 1/2 |X - V|^2 + threshold |X|_*,  |X|_* the sum of singular values,
// is V with its singular values shrunk by the threshold (Cai, Candes, Shen 2010). Singular vectors
// come from the eigenvectors of the smaller one of V^H V and V V^H, in double precision.
#pragma once

#include "engine/core/array.h"

namespace spokelab {

struct LowRankBlocks {
  double threshold = 0;
  Index3 matrix{1, 1, 1};
  std::int64_t frames = 1, stride = 1;  // values from a frame to the next
  Index3 block{1, 1, 1};                // pixels of a block; those at the edges may be smaller
  Index3 offset{0, 0, 0};               // pixels of the first block along each axis; 0: a whole one
};

// Blocks along each axis.
Index3 blockCounts(const LowRankBlocks& blocks);

// values: V, which becomes X; returns the sum of |X|_* over blocks.
template <class Real>
double lowRankBlocks(const LowRankBlocks& blocks, int threads, std::complex<Real>* values);

}  // namespace spokelab
