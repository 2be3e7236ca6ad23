// The inner loops of spread_interleaved.h, as templates on instruction set, precision, dimensions
// and kernel width. Included by the files in instances/ only.
#pragma once

#include "engine/nufft/spread/kernels/spread_interleaved.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

// Kernel values of a point in every dimension, in memory, from where they are broadcast: evaluated.
template <class Isa, class Real, int dims, int w>
struct EvaluatedInterleavedWeights {
  using Kernel = KernelValues<Isa, Real, w>;
  alignas(64) Real x[Kernel::split.padded()], y[Kernel::split.padded()], z[Kernel::split.padded()];

  inline __attribute__((always_inline))
  EvaluatedInterleavedWeights(const TileJob<Real>& job, std::int64_t j) {
    const SortedPoint<Real, dims>& point = static_cast<const SortedPoint<Real, dims>*>(job.points)[j];
    Kernel(*job.kernel, point.f[0]).store(x);
    Kernel(*job.kernel, point.f[1]).store(y);
    if constexpr (dims > 2) Kernel(*job.kernel, point.f[2]).store(z);
  }
};

// The same, stored when points were set.
template <class Isa, class Real, int dims, int w>
struct StoredInterleavedWeights {
  const Real *x, *y, *z;

  inline __attribute__((always_inline)) StoredInterleavedWeights(const TileJob<Real>& job, std::int64_t j)
      : x(job.values + j * dims * w), y(x + w), z(y + w) {}
};

// One cell: real and imaginary part of each image.
template <class Isa, class Real>
struct InterleavedCell {
  static constexpr int reals = 2 * interleavedImages, fit = Isa::registerBytes / int(sizeof(Real));
  static constexpr int lanes = reals < fit ? reals : fit, vectors = reals / lanes;
  using Vec = simd::Vec<Isa, Real, lanes>;
  Vec value[vectors];

  static inline __attribute__((always_inline)) InterleavedCell load(const Real* from) {
    InterleavedCell cell;
    for (int i = 0; i < vectors; ++i) cell.value[i] = simd::load<Isa, Real, lanes>(from + i * lanes);
    return cell;
  }
  inline __attribute__((always_inline)) void store(Real* to) const {
    for (int i = 0; i < vectors; ++i) simd::store<Isa, Real, lanes>(to + i * lanes, value[i]);
  }
  inline __attribute__((always_inline)) InterleavedCell operator*(Real factor) const {
    InterleavedCell product;
    for (int i = 0; i < vectors; ++i) product.value[i] = value[i] * factor;
    return product;
  }
  inline __attribute__((always_inline)) void add(const InterleavedCell& other, Real factor) {
    for (int i = 0; i < vectors; ++i) value[i] += other.value[i] * factor;
  }
};

template <class Isa, class Real, int dims, int w, template <class, class, int, int> class Weights>
struct InterleavedLoops {
  using Cell = InterleavedCell<Isa, Real>;
  static constexpr int reals = Cell::reals;

  static inline __attribute__((always_inline)) void addRow(Real* row, const Cell& c, const Real* kernel) {
#pragma GCC unroll 16
    for (int x = 0; x < w; ++x) {
      Cell cell = Cell::load(row + x * reals);
      cell.add(c, kernel[x]);
      cell.store(row + x * reals);
    }
  }

  static inline __attribute__((always_inline)) Cell sumOfRow(const Real* row, const Real* kernel) {
    Cell sum = Cell::load(row) * kernel[0];
#pragma GCC unroll 16
    for (int x = 1; x < w; ++x) sum.add(Cell::load(row + x * reals), kernel[x]);
    return sum;
  }

  static inline __attribute__((always_inline)) Cell sumOfPlane(const Real* plane, std::int64_t strideY,
                                                               const Real* kernel, const Real* y) {
    Cell sum = sumOfRow(plane, kernel) * y[0];
    for (int k = 1; k < w; ++k) sum.add(sumOfRow(plane + k * strideY, kernel), y[k]);
    return sum;
  }

  static void spread(const InterleavedJob<Real>& job) {
    const auto* points = static_cast<const SortedPoint<Real, dims>*>(job.points);
    const std::int64_t strideY = 2 * job.strideY, strideZ = 2 * job.strideZ;
    const int images = job.images;
    alignas(64) Real sample[reals] = {};
    for (std::int64_t j = 0; j < job.count; ++j) {
      const SortedPoint<Real, dims>& point = points[j];
      if (!job.sorted && j + samplePrefetchPoints < job.count) {
        const std::complex<Real>* ahead = job.input + points[j + samplePrefetchPoints].source;
        for (int image = 0; image < images; ++image) __builtin_prefetch(ahead + image * job.sampleStep);
      }
      const std::complex<Real>* from = job.input + (job.sorted ? j : point.source);
      for (int image = 0; image < images; ++image) {
        const std::complex<Real> c = from[image * job.sampleStep];
        sample[2 * image] = c.real();
        sample[2 * image + 1] = c.imag();
      }
      const Cell c = Cell::load(sample);
      const Weights<Isa, Real, dims, w> kernel(job, j);
      Real* cell = reinterpret_cast<Real*>(job.grid) + reals * static_cast<std::int64_t>(point.offset);
      if constexpr (dims == 2) {
        for (int y = 0; y < w; ++y) addRow(cell + y * strideY, c * kernel.y[y], kernel.x);
      } else {
        for (int z = 0; z < w; ++z) {
          const Cell cz = c * kernel.z[z];
          for (int y = 0; y < w; ++y) addRow(cell + z * strideZ + y * strideY, cz * kernel.y[y], kernel.x);
        }
      }
    }
  }

  static void interpolate(const InterleavedJob<Real>& job) {
    const auto* points = static_cast<const SortedPoint<Real, dims>*>(job.points);
    const std::int64_t strideY = 2 * job.strideY, strideZ = 2 * job.strideZ;
    alignas(64) Real sample[reals];
    for (std::int64_t j = 0; j < job.count; ++j) {
      const SortedPoint<Real, dims>& point = points[j];
      if (!job.sorted && j + samplePrefetchPoints < job.count) {
        std::complex<Real>* ahead = job.output + points[j + samplePrefetchPoints].source;
        for (int image = 0; image < job.images; ++image)
          __builtin_prefetch(ahead + image * job.sampleStep, 1);
      }
      const Weights<Isa, Real, dims, w> kernel(job, j);
      const Real* cell =
          reinterpret_cast<const Real*>(job.grid) + reals * static_cast<std::int64_t>(point.offset);
      Cell sum;
      if constexpr (dims == 2) {
        sum = sumOfPlane(cell, strideY, kernel.x, kernel.y);
      } else {
        sum = sumOfPlane(cell, strideY, kernel.x, kernel.y) * kernel.z[0];
        for (int z = 1; z < w; ++z)
          sum.add(sumOfPlane(cell + z * strideZ, strideY, kernel.x, kernel.y), kernel.z[z]);
      }
      sum.store(sample);
      std::complex<Real>* to = job.output + (job.sorted ? j : point.source);
      for (int image = 0; image < job.images; ++image)
        to[image * job.sampleStep] = {sample[2 * image], sample[2 * image + 1]};
    }
  }
};

template <class Isa, class Real, template <class, class, int, int> class Weights, int... w>
constexpr InterleavedFunctions<Real> makeInterleavedFunctions(std::integer_sequence<int, w...>) {
  InterleavedFunctions<Real> table;
  ((table.spread[2][w + 1] = InterleavedLoops<Isa, Real, 2, w + 1, Weights>::spread), ...);
  ((table.spread[3][w + 1] = InterleavedLoops<Isa, Real, 3, w + 1, Weights>::spread), ...);
  ((table.interpolate[2][w + 1] = InterleavedLoops<Isa, Real, 2, w + 1, Weights>::interpolate), ...);
  ((table.interpolate[3][w + 1] = InterleavedLoops<Isa, Real, 3, w + 1, Weights>::interpolate), ...);
  return table;
}

}  // namespace spokelab
