#include "engine/recon/coils/combine_coils.h"

#include <algorithm>
#include <cmath>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/adaptive_combination.h"

namespace spokelab {
namespace {

constexpr std::int64_t valuesPerTask = 1 << 14;  // takes some microseconds

}  // namespace

int walshBlock(const ReconOptions& options, int dims) {
  return options.walshBlock > 0 ? options.walshBlock : defaultWalshBlock(dims);
}

template <class Real>
CoilCombiner<Real>::CoilCombiner(const ReconOptions& options, int coils, const Index3& size)
    : combination_(coils == 1 ? Combination::none : options.combination),
      coils_(coils),
      block_(walshBlock(options, size[2] > 1 ? 3 : 2)),
      threads_(options.nufft.threads),
      size_(size),
      pixels_(product(size)) {
  if (combination_ == Combination::rootSumSquares) squares_.assign(std::size_t(pixels_), 0.0);
  if (combination_ == Combination::adaptive) {
    requireMemory(double(pixels_) * coils * sizeof(Complex), "Cannot combine the coils adaptively",
                  "the images of all coils", "Use combine = rss, or compress the coils");
    images_.resize(std::size_t(pixels_ * coils));
  }
}

template <class Real>
void CoilCombiner<Real>::add(int coil, const Complex* image, Complex* out) {
  Complex* const copy = combination_ == Combination::adaptive ? images_.data() + coil * pixels_ : out;
  parallelFor(pixels_, threads_, valuesPerTask, [&](std::int64_t begin, std::int64_t end) {
    if (combination_ == Combination::rootSumSquares) {
      for (std::int64_t i = begin; i < end; ++i) squares_[std::size_t(i)] += std::norm(cdouble(image[i]));
    } else {
      std::copy(image + begin, image + end, copy + begin);
    }
  });
}

template <class Real>
void CoilCombiner<Real>::finish(Complex* out, const Progress& progress) {
  if (combination_ == Combination::none) return;
  if (combination_ == Combination::adaptive) {
    combineAdaptively(images_.data(), coils_, size_, block_, threads_, out, progress);
    return;
  }
  parallelFor(pixels_, threads_, valuesPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] = Real(std::sqrt(squares_[std::size_t(i)]));
  });
  std::fill(squares_.begin(), squares_.end(), 0.0);
}

template class CoilCombiner<float>;
template class CoilCombiner<double>;

}  // namespace spokelab
