// One dimension that is gridded by itself (many_dims.h): its kernel, the cells that points touch
// along it, and the transform between N images and G > N cells of images.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

template <class Real>
class GriddedAxis {
 public:
  using Complex = std::complex<Real>;

  // axis: a 1-D problem. accuracy: of this step alone. Throws Error where it cannot be had.
  GriddedAxis(const NufftProblem& axis, const NufftOptions& options, double accuracy);

  std::int64_t cells() const { return grid_; }
  double width() const { return kernel_.width(); }
  // Factor by which independent errors of the cells' images become the result's error: rms(1/h)
  // times the root of the sum of the kernel's squares.
  double amplification() const { return amplification_; }
  double error() const { return predicted_.relativeL2; }
  double bound() const { return predicted_.bound; }
  std::int64_t memory() const;
  // Bytes that a point of `dims` coordinates adds to memory().
  double bytesAPoint(int dims) const;

  // points: [M, dims]; the last coordinate is this axis's.
  void setPoints(std::span<const double> points, int dims);

  struct Touching {
    std::span<const std::int64_t> points;  // indices of points
    std::span<const Real> weights;         // the kernel's values
  };
  // The points whose kernel reaches the cell.
  Touching touching(std::int64_t cell) const;
  // The other coordinates of these points; valid until the next call.
  std::span<const double> coordinates(std::int64_t cell);

  // image [batch, n, pixel] -> cells [g, batch, pixel], and its conjugate transpose.
  void toCells(const Complex* image, Complex* cells, std::int64_t batch, std::int64_t pixels) const;
  void toImage(const Complex* cells, Complex* image, std::int64_t batch, std::int64_t pixels) const;

 private:
  NufftProblem axis_;
  int threads_;
  Kernel kernel_;
  std::int64_t grid_ = 0;
  PredictedError predicted_;
  double amplification_ = 1;
  std::vector<double> factors_;  // 1/h of pixel n + floor(N/2)
  std::size_t firstDims_ = 0;
  std::vector<double> first_;         // [M, dims - 1]
  std::vector<std::int64_t> begins_;  // of each cell's points, and the end
  std::vector<std::int64_t> points_;
  std::vector<Real> weights_;
  std::vector<double> gathered_;
};

extern template class GriddedAxis<float>;
extern template class GriddedAxis<double>;

}  // namespace spokelab
