// R(x) = sum over blocks of |X_b|_*, the nuclear norm of a block's pixels over frames [frame, set,
// pixel] (low_rank_blocks.h; Zhang, Pauly, Levesque 2015): what a small region does over frames is
// made of few curves. The lattice of blocks has one of three places (BlockPlaces):
//   fixed    the same in each map
//   random   another one in each map: the functional is the mean over places, as with wavelets
//   overlap  the map is the mean of the maps of 2^dims lattices, half a block apart along each
//            axis: the proximal map of their proximal average (Bauschke et al. 2008)
// A device with small blocks or few frames shrinks them in its memory (fitsDevice() in
// cuda/recon/functional/low_rank_blocks.h); else the images are copied to host memory and back.
#pragma once

#include <algorithm>
#include <random>
#include <type_traits>

#include "engine/recon/functional/low_rank_blocks.h"
#include "engine/recon/operators/vector_space.h"
#include "engine/recon/options/solver_options.h"

namespace spokelab {

template <VectorSpace Space>
class LocalLowRank {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  // block: pixels along each of the dims axes.
  LocalLowRank(Space& space, const Index3& matrix, int dims, std::int64_t frames, std::int64_t sets,
               std::int64_t block, BlockPlaces places, int threads)
      : space_(space), sets_(sets), dims_(dims), places_(places), threads_(threads) {
    shape_.matrix = matrix;
    shape_.frames = frames;
    shape_.stride = sets * product(matrix);
    for (std::size_t d = 0; d < std::size_t(dims); ++d) shape_.block[d] = std::min(block, matrix[d]);
  }

  std::int64_t unknowns() const { return shape_.frames * shape_.stride; }

  // frames = argmin_x 1/2 |x - frames|^2 + threshold R(x), in place; returns R of the result, with
  // overlap the mean over lattices of what each map leaves.
  double prox(double threshold, Complex* frames) {
    shape_.threshold = threshold;
    if (places_ == BlockPlaces::overlap) return meanOverLattices(frames);
    if (places_ == BlockPlaces::random)
      for (std::size_t d = 0; d < std::size_t(dims_); ++d)
        shape_.offset[d] = std::int64_t(random_() % std::uint64_t(shape_.block[d]));
    return overSets(frames);
  }

 private:
  static constexpr bool isHost = std::is_same_v<Space, HostSpace<Real>>;

  double overSets(Complex* frames) {
    const std::int64_t pixels = product(shape_.matrix);
    double value = 0;
    if constexpr (isHost) {
      for (std::int64_t s = 0; s < sets_; ++s) value += lowRankBlocks(shape_, threads_, frames + s * pixels);
    } else if (fitsDevice(space_, shape_)) {
      const std::int64_t blocks = product(blockCounts(shape_));
      if (std::int64_t(roots_.size()) < blocks) roots_ = space_.make(blocks);
      for (std::int64_t s = 0; s < sets_; ++s) {
        lowRankBlocks(space_, shape_, frames + s * pixels, roots_.data());
        value += space_.dot(roots_.data(), roots_.data(), blocks);
      }
    } else {
      host_.resize(std::size_t(unknowns()));
      space_.download(frames, host_.data(), unknowns());
      for (std::int64_t s = 0; s < sets_; ++s)
        value += lowRankBlocks(shape_, threads_, host_.data() + s * pixels);
      space_.upload(host_.data(), frames, unknowns());
    }
    return value;
  }

  double meanOverLattices(Complex* frames) {
    const std::int64_t n = unknowns();
    const int lattices = 1 << dims_;
    if (sum_.size() == 0) {
      sum_ = space_.make(n);
      one_ = space_.make(n);
    }
    space_.zero(sum_.data(), n);
    double value = 0;
    for (int lattice = 0; lattice < lattices; ++lattice) {
      for (std::size_t d = 0; d < std::size_t(dims_); ++d)
        shape_.offset[d] = lattice >> d & 1 ? shape_.block[d] / 2 : 0;
      space_.copy(frames, one_.data(), n);
      value += overSets(one_.data()) / lattices;
      space_.axpy(Real(1.0 / lattices), one_.data(), sum_.data(), n);
    }
    space_.copy(sum_.data(), frames, n);
    return value;
  }

  Space& space_;
  LowRankBlocks shape_;
  std::int64_t sets_;
  int dims_;
  BlockPlaces places_;
  int threads_;
  std::mt19937_64 random_;  // its default seed: a result can be repeated
  typename Space::Vector sum_, one_, roots_;
  Buffer<Complex> host_;
};

}  // namespace spokelab
