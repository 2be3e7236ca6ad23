// The points of a CPU plan: sorted, shared out to tiles, and as sparse matrices if asked for.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/error.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/spread/sparse_matrix.h"
#include "engine/nufft/spread/tile_schedule.h"

namespace spokelab {

template <class Real>
class PointWork {
 public:
  using Complex = std::complex<Real>;

  // The design and the kernel outlive it.
  PointWork(const CpuPlanDesign<Real>& design, const LoopKernel<Real>& kernel)
      : design_(design),
        schedule_(design.layout, kernel, design.source.get(), design.error.crowdLimit, design.options) {}

  const SortedPoints<Real>& points() const { return schedule_.points(); }
  const GridLayout& layout() const { return schedule_.layout(); }

  // Throws Error for a coordinate that is not finite, and keeps the earlier points. Throws also
  // where memory runs out or a matrix refuses the points; the plan then has no points.
  void setPoints(std::span<const double> points, bool interleaved) {
    bool sorted = false;
    try {
      schedule_.setPoints(points, design_.options.width, interleaved);
      sorted = true;
      setMatrices();
    } catch (const Error&) {
      if (sorted) clear();
      throw;
    } catch (...) {
      clear();
      throw;
    }
  }
  void clear() { schedule_.clear(); }

  void interpolate(const Complex* grid, Complex* samples, bool sorted, const ImageSet& images) const {
    if (design_.options.interpolate == Method::sparse)
      gamma_.apply(grid, samples, sorted, design_.options.threads, images);
    else
      schedule_.interpolate(grid, samples, sorted, images);
  }
  // Matrices write every cell; tiles add to a grid of zeros.
  void spread(const Complex* samples, bool sorted, Complex* grid, const ImageSet& images) {
    if (design_.options.spread == Method::sparse)
      gammaT_.apply(samples, sorted, grid, design_.options.threads, images);
    else
      schedule_.spread(samples, sorted, grid, images);
  }

  std::int64_t spreadMatrixBytes() const { return gammaT_.bytes(); }
  std::int64_t interpolationMatrixBytes() const { return gamma_.bytes(); }
  std::int64_t bytes() const { return schedule_.bytes() + gamma_.bytes() + gammaT_.bytes(); }

 private:
  void setMatrices() {
    if (!design_.sparse()) return;
    const auto source = design_.matrixSource();
    const int threads = design_.options.threads;
    if (design_.options.interpolate == Method::sparse) gamma_.setPoints(points(), layout(), *source, threads);
    if (design_.options.spread == Method::sparse) gammaT_.setPoints(points(), layout(), *source, threads);
  }

  const CpuPlanDesign<Real>& design_;
  TileSchedule<Real> schedule_;
  SparseInterpolation<Real> gamma_;
  SparseSpreading<Real> gammaT_;
};

}  // namespace spokelab
