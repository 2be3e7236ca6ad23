#include "engine/recon/coils/coil_maps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

using Matrix = Eigen::MatrixXcd;
using Values = Eigen::VectorXcd;

constexpr double pi = std::numbers::pi;
// Maps are computed on at most this many pixels along an axis, and interpolated linearly between
// them.
constexpr std::int64_t maxCoarseSize2d = 128, maxCoarseSize3d = 32;
constexpr int maxPowerSteps = 40;
constexpr double powerTolerance = 1e-7;
constexpr double minKeptSingularValue = 1e-3;  // of the calibration matrix, relative, squared
constexpr double minPixelCovariance = 1e-6;    // covariance over the largest

// The leading eigenvector of a Hermitian matrix, and its eigenvalue.
Values leading(const Matrix& a, const Values& start, double& eigenvalue) {
  Values v = a * start;
  double norm = v.norm();
  if (norm == 0) v = a.col(0), norm = v.norm();
  eigenvalue = 0;
  if (norm == 0) return Values::Zero(a.rows());
  v /= norm;
  for (int i = 0; i < maxPowerSteps; ++i) {
    Values next = a * v;
    eigenvalue = next.norm();
    if (eigenvalue == 0) return Values::Zero(a.rows());
    next /= eigenvalue;
    const double change = (next - v).norm();
    v = next;
    if (change < powerTolerance) break;
  }
  return v;
}

// A coarser grid over the image: pixel centres every `step`, the last one at the edge.
struct CoarseGrid {
  Index3 matrix, count{1, 1, 1};
  std::array<double, 3> step{1, 1, 1};

  CoarseGrid(const Index3& n, int dims) : matrix(n) {
    const std::int64_t most = dims == 3 ? maxCoarseSize3d : maxCoarseSize2d;
    for (std::size_t d = 0; d < 3; ++d) {
      count[d] = std::min(n[d], most);
      step[d] = count[d] > 1 ? double(n[d] - 1) / double(count[d] - 1) : 1;
    }
  }
  Vec3 pixel(std::int64_t i) const {
    return {double(i % count[0]) * step[0], double(i / count[0] % count[1]) * step[1],
            double(i / count[0] / count[1]) * step[2]};
  }
};

// Maps [coil] at the coarse pixels -> [coil, pixel], with unit root of sum of squares where any
// corner has a map.
std::vector<cfloat> interpolate(const CoarseGrid& grid, const std::vector<Values>& coarse, int coils,
                                int threads) {
  const Index3& n = grid.matrix;
  const std::int64_t pixels = product(n);
  std::vector<cfloat> maps(std::size_t(coils * pixels));
  parallelFor(pixels, threads, 1024, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
      Values sum = Values::Zero(coils);
      double share = 0;
      for (int corner = 0; corner < 8; ++corner) {
        std::int64_t index = 0, stride = 1;
        double weight = 1;
        for (std::size_t d = 0; d < 3; ++d) {
          const double place = double(at[d]) / grid.step[d];
          const auto low =
              std::min<std::int64_t>(std::int64_t(place), std::max<std::int64_t>(grid.count[d] - 2, 0));
          const double part = place - double(low);
          const bool high = (corner >> d) & 1;
          weight *= high ? part : 1 - part;
          index += stride * std::min(low + std::int64_t(high), grid.count[d] - 1);
          stride *= grid.count[d];
        }
        if (weight < 1e-9) continue;
        const Values& v = coarse[std::size_t(index)];
        if (v.squaredNorm() > 0) share += weight;
        sum += weight * v;
      }
      const double norm = sum.norm();
      if (share < 0.5 || norm < 1e-6) continue;
      for (int c = 0; c < coils; ++c) maps[std::size_t(c * pixels + i)] = cfloat(sum(c) / norm);
    }
  });
  return maps;
}

Matrix covarianceAround(std::span<const cfloat> images, int coils, const Index3& n, const Vec3& centre,
                        const std::array<double, 3>& reach) {
  Matrix sum = Matrix::Zero(coils, coils);
  const std::int64_t pixels = product(n);
  Index3 low, high;
  for (std::size_t d = 0; d < 3; ++d) {
    low[d] = std::max<std::int64_t>(0, std::int64_t(std::ceil(centre[d] - reach[d])));
    high[d] = std::min(n[d] - 1, std::int64_t(std::floor(centre[d] + reach[d])));
  }
  Values v(coils);
  for (std::int64_t z = low[2]; z <= high[2]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t x = low[0]; x <= high[0]; ++x) {
        for (int c = 0; c < coils; ++c)
          v(c) = cdouble(images[std::size_t(c * pixels + (z * n[1] + y) * n[0] + x)]);
        sum.selfadjointView<Eigen::Lower>().rankUpdate(v);
      }
  return Matrix(sum.selfadjointView<Eigen::Lower>());
}

// k-space of the low-resolution images at whole k in [-c/2, c/2): [coil, kz, ky, kx], one axis
// after the other.
std::vector<cdouble> calibrationData(std::span<const cfloat> images, int coils, const Index3& n,
                                     const Index3& c) {
  std::vector<cdouble> data(images.begin(), images.end());
  Index3 size = n;
  for (std::size_t d = 0; d < 3; ++d) {
    Index3 next = size;
    next[d] = c[d];
    std::int64_t inner = 1;
    for (std::size_t e = 0; e < d; ++e) inner *= size[e];
    const std::int64_t outer = product(size) / inner / size[d] * coils;
    std::vector<cdouble> out(std::size_t(product(next) * coils), cdouble(0));
    parallelTasks(outer, 0, [&](std::int64_t o) {
      for (std::int64_t k = 0; k < c[d]; ++k)
        for (std::int64_t x = 0; x < size[d]; ++x) {
          const cdouble phase =
              std::polar(1.0, -2 * pi * double((k - c[d] / 2) * (x - n[d] / 2)) / double(n[d]));
          for (std::int64_t i = 0; i < inner; ++i)
            out[std::size_t((o * c[d] + k) * inner + i)] +=
                data[std::size_t((o * size[d] + x) * inner + i)] * phase;
        }
    });
    data = std::move(out);
    size = next;
  }
  return data;
}

// The operator of the calibration region as correlation kernels: h[c', c, shift], shifts -(k-1) ...
// k-1 an axis.
class CalibrationKernel {
 public:
  CalibrationKernel(const std::vector<cdouble>& data, int coils, const Index3& size, const Index3& width)
      : coils_(coils), width_(width) {
    for (std::size_t d = 0; d < 3; ++d) shifts_[d] = 2 * width[d] - 1;
    const Matrix projection = projectionOf(data, size);
    const std::int64_t cells = product(width);
    kernel_.assign(std::size_t(coils * coils * product(shifts_)), cdouble(0));
    for (std::int64_t to = 0; to < coils; ++to)
      for (std::int64_t from = 0; from < coils; ++from)
        for (std::int64_t a = 0; a < cells; ++a)
          for (std::int64_t b = 0; b < cells; ++b)
            kernel_[std::size_t((to * coils + from) * product(shifts_) + shiftIndex(a, b))] +=
                projection(from * cells + a, to * cells + b) / double(cells);
  }

  Matrix at(const Vec3& place) const {  // place: n_d / N_d
    const std::int64_t count = product(shifts_);
    std::vector<cdouble> phases(static_cast<std::size_t>(count));
    for (std::int64_t s = 0; s < count; ++s) {
      const std::int64_t shift[3] = {s % shifts_[0] - width_[0] + 1,
                                     s / shifts_[0] % shifts_[1] - width_[1] + 1,
                                     s / shifts_[0] / shifts_[1] - width_[2] + 1};
      double turns = 0;
      for (std::size_t d = 0; d < 3; ++d) turns += double(shift[d]) * place[d];
      phases[std::size_t(s)] = std::polar(1.0, -2 * pi * turns);
    }
    Matrix h(coils_, coils_);
    for (int to = 0; to < coils_; ++to)
      for (int from = 0; from <= to; ++from) {
        const cdouble* kernel = kernel_.data() + std::int64_t(to * coils_ + from) * count;
        cdouble sum = 0;
        for (std::int64_t s = 0; s < count; ++s) sum += kernel[s] * phases[std::size_t(s)];
        h(to, from) = sum;
        h(from, to) = std::conj(sum);
      }
    return h;
  }

 private:
  std::int64_t shiftIndex(std::int64_t a, std::int64_t b) const {
    std::int64_t index = 0, stride = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      index += (a % width_[d] - b % width_[d] + width_[d] - 1) * stride;
      a /= width_[d];
      b /= width_[d];
      stride *= shifts_[d];
    }
    return index;
  }

  // V V^H of the rows' space: blocks of `width` of all coils, at every place of the calibration
  // region.
  Matrix projectionOf(const std::vector<cdouble>& data, const Index3& size) const {
    const std::int64_t cells = product(width_), columns = cells * coils_;
    Index3 places;
    for (std::size_t d = 0; d < 3; ++d) places[d] = size[d] - width_[d] + 1;
    Matrix rows(product(places), columns);
    parallelTasks(product(places), 0, [&](std::int64_t row) {
      const std::int64_t origin[3] = {row % places[0], row / places[0] % places[1],
                                      row / places[0] / places[1]};
      for (std::int64_t c = 0; c < coils_; ++c)
        for (std::int64_t i = 0; i < cells; ++i) {
          const std::int64_t x = origin[0] + i % width_[0], y = origin[1] + i / width_[0] % width_[1],
                             z = origin[2] + i / width_[0] / width_[1];
          rows(row, c * cells + i) = data[std::size_t(((c * size[2] + z) * size[1] + y) * size[0] + x)];
        }
    });
    Matrix gram = Matrix::Zero(columns, columns);
    gram.selfadjointView<Eigen::Lower>().rankUpdate(rows.adjoint());
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram);
    const double smallest = solver.eigenvalues().maxCoeff() * minKeptSingularValue;
    Eigen::Index first = 0;
    while (first < columns && solver.eigenvalues()(first) < smallest) ++first;
    const Matrix kept = solver.eigenvectors().rightCols(columns - first);
    return kept * kept.adjoint();
  }

  int coils_;
  Index3 width_, shifts_{1, 1, 1};
  std::vector<cdouble> kernel_;
};

}  // namespace

std::vector<cfloat> centreImages(NufftBackend& backend, const CoilSamples& samples,
                                 std::span<const double> density, int calibration,
                                 const NufftOptions& options, const Progress& progress) {
  const auto dims = std::size_t(samples.dims);
  const std::int64_t count = std::int64_t(samples.points.size()) / samples.dims,
                     pixels = product(samples.matrix);
  std::vector<double> points(samples.points.size()), weights(static_cast<std::size_t>(count));
  double scale = 1;
  for (std::size_t d = 0; d < dims; ++d) scale /= double(samples.matrix[d]);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    double square = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      const double k = samples.points[j * dims + d];
      points[j * dims + d] = k / double(samples.matrix[d]);
      square += k * k;
    }
    const double radius = std::sqrt(square) / (double(calibration) / 2);
    weights[j] = radius < 1 ? density[j] * scale * (0.5 + 0.5 * std::cos(pi * radius)) : 0;
  }
  NufftProblem nufft;
  nufft.dims = samples.dims;
  nufft.size = samples.matrix;
  const auto plan = backend.planFloat(nufft, options);
  plan->setPoints(points);
  std::vector<cfloat> images(samples.coils.size() * std::size_t(pixels)), weighted(weights.size());
  for (std::size_t c = 0; c < samples.coils.size(); ++c) {
    progress.report(double(c) / double(samples.coils.size()), "Coil images");
    for (std::size_t j = 0; j < weights.size(); ++j) weighted[j] = samples.coils[c][j] * float(weights[j]);
    plan->adjoint(weighted.data(), images.data() + c * std::size_t(pixels));
  }
  return images;
}

std::vector<cfloat> estimateCoilMaps(std::span<const cfloat> images, int coils, const Index3& matrix,
                                     int dims, const CoilMapOptions& options, const Progress& progress) {
  const CoarseGrid grid(matrix, dims);
  const Vec3 middle{double(matrix[0]) / 2, double(matrix[1]) / 2, double(matrix[2]) / 2};
  const Matrix all = covarianceAround(images, coils, matrix, middle, {1e9, 1e9, 1e9});
  const double total = std::abs(all.trace()) / double(product(matrix));
  if (!(total > 0))
    throw Error("Cannot estimate coil maps", "the centre of k-space holds no signal",
                "Give maps from a file");
  double ignored = 0;
  const Values reference = leading(all, Values::Ones(coils), ignored);
  std::vector<Values> maps(std::size_t(product(grid.count)), Values::Zero(coils));
  const auto keep = [&](std::int64_t i, Values v) {
    const cdouble along = reference.dot(v);
    if (std::abs(along) > 0) v *= std::conj(along) / std::abs(along);
    maps[std::size_t(i)] = std::move(v);
  };
  progress.report(0.5, "Coil maps");
  if (coils == 1) {
    for (std::int64_t i = 0; i < product(grid.count); ++i) maps[std::size_t(i)] = Values::Ones(1);
  } else if (options.method == CoilMapMethod::walsh) {
    std::array<double, 3> reach{};  // half a resolution cell of the centre, to either side
    for (std::size_t d = 0; d < 3; ++d)
      reach[d] = std::max(1.0, double(matrix[d]) / double(2 * options.calibration));
    parallelTasks(product(grid.count), 0, [&](std::int64_t i) {
      progress.checkpoint();
      const Matrix r = covarianceAround(images, coils, matrix, grid.pixel(i), reach);
      if (std::abs(r.trace()) < minPixelCovariance * total) return;
      double eigenvalue = 0;
      keep(i, leading(r, reference, eigenvalue));
    });
  } else {
    Index3 size{1, 1, 1}, width{1, 1, 1};
    for (std::size_t d = 0; d < std::size_t(dims); ++d) {
      // the window halves the amplitude at half the radius: that part carries the signal
      size[d] = std::min<std::int64_t>(matrix[d], std::max(options.calibration * 3 / 4, 8));
      width[d] = std::min<std::int64_t>(dims == 3 ? 4 : 6, size[d]);
    }
    const CalibrationKernel kernel(calibrationData(images, coils, matrix, size), coils, size, width);
    parallelTasks(product(grid.count), 0, [&](std::int64_t i) {
      progress.checkpoint();
      const Vec3 pixel = grid.pixel(i);
      Vec3 place{};
      for (std::size_t d = 0; d < 3; ++d) place[d] = (pixel[d] - double(matrix[d] / 2)) / double(matrix[d]);
      double eigenvalue = 0;
      Values v = leading(kernel.at(place), reference, eigenvalue);
      if (eigenvalue >= options.crop) keep(i, std::move(v));
    });
  }
  progress.report(1, "Coil maps");
  return interpolate(grid, maps, coils, 0);
}

}  // namespace spokelab
