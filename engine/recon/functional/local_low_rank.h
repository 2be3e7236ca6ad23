// R(x) = sum over blocks of |X_b|_*, the nuclear norm of a block's pixels over frames [frame, set,
// pixel] (low_rank_blocks.h; Zhang, Pauly, Levesque 2015): what a small region does over frames is
// made of few curves. The lattice of blocks is fixed, lies elsewhere in each map (random: the
// functional is then the mean over places, as with wavelets), or the map is the mean of the maps of
// lattices half a block apart along each axis (overlap): the proximal map of their proximal average
// (Bauschke et al. 2008). Singular values are the processor's work: on a device the images are
// copied to host memory and back.
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
    if constexpr (std::is_same_v<Space, HostSpace<Real>>) return onHost(frames);
    host_.resize(std::size_t(unknowns()));
    space_.download(frames, host_.data(), unknowns());
    const double value = onHost(host_.data());
    space_.upload(host_.data(), frames, unknowns());
    return value;
  }

 private:
  double onHost(Complex* frames) {
    if (places_ == BlockPlaces::overlap) return meanOverLattices(frames);
    if (places_ == BlockPlaces::random)
      for (std::size_t d = 0; d < std::size_t(dims_); ++d)
        shape_.offset[d] = std::int64_t(random_() % std::uint64_t(shape_.block[d]));
    return overSets(frames);
  }

  double overSets(Complex* frames) {
    double value = 0;
    for (std::int64_t s = 0; s < sets_; ++s)
      value += lowRankBlocks(shape_, threads_, frames + s * product(shape_.matrix));
    return value;
  }

  double meanOverLattices(Complex* frames) {
    const std::int64_t n = unknowns();
    const int lattices = 1 << dims_;
    const HostSpace<Real> host(threads_);
    sum_.resize(std::size_t(n));
    one_.resize(std::size_t(n));
    host.zero(sum_.data(), n);
    double value = 0;
    for (int lattice = 0; lattice < lattices; ++lattice) {
      for (std::size_t d = 0; d < std::size_t(dims_); ++d)
        shape_.offset[d] = lattice >> d & 1 ? shape_.block[d] / 2 : 0;
      host.copy(frames, one_.data(), n);
      value += overSets(one_.data()) / lattices;
      host.axpy(Real(1.0 / lattices), one_.data(), sum_.data(), n);
    }
    host.copy(sum_.data(), frames, n);
    return value;
  }

  Space& space_;
  LowRankBlocks shape_;
  std::int64_t sets_;
  int dims_;
  BlockPlaces places_;
  int threads_;
  std::mt19937_64 random_;  // its default seed: a result can be repeated
  Buffer<Complex> host_, sum_, one_;
};

}  // namespace spokelab
