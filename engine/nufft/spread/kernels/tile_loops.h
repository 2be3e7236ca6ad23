// The inner loops of spreading and interpolation, as templates on instruction set, precision,
// dimensions and kernel width. Included by the files in instances/ only.
//
// One point touches ceil(W) rows (2-D) or ceil(W)^2 rows (3-D) of ceil(W) cells. A row is a few
// vectors of interleaved complex numbers; lanes beyond ceil(W) carry a kernel value of zero.
#pragma once

#include <utility>

#include "engine/core/simd/simd.h"
#include "engine/nufft/points/bin_sort.h"
#include "engine/nufft/spread/kernels/spread.h"

namespace spokelab {

// Kernel values of a point in one dimension, one lane for each of `cells` cells. Shifted by some
// lanes, the first lanes lie before the kernel and hold zeros.
template <class Isa, class Real, int cells>
struct ValueVectors {
  static constexpr simd::Split<Isa, Real> split{cells};
  static constexpr int lanes = split.lanes, vectors = split.vectors;
  static_assert(lanes * vectors <= maxKernelCells + zerosBehindKernel);
  using Vec = simd::Vec<Isa, Real, lanes>;
  Vec value[vectors];

  inline __attribute__((always_inline)) void store(Real* to) const {
    for (int i = 0; i < vectors; ++i) simd::store<Isa, Real, lanes>(to + i * lanes, value[i]);
  }
};

// Evaluated by Horner in t = 2 f - 1.
template <class Isa, class Real, int cells>
struct KernelValues : ValueVectors<Isa, Real, cells> {
  using Base = ValueVectors<Isa, Real, cells>;
  using Base::lanes, Base::vectors, Base::value;
  using Vec = typename Base::Vec;

  inline __attribute__((always_inline))
  KernelValues(const LoopKernel<Real>& kernel, Real f, std::int64_t shift = 0) {
    const Real* coefficient = kernel.coefficient() - shift;
    const Real* edge = kernel.edge() - shift;
    const int degree = kernel.degree;
    const Real t = 2 * f - 1;
    for (int i = 0; i < vectors; ++i) value[i] = simd::load<Isa, Real, lanes>(coefficient + i * lanes);
    for (int p = 1; p <= degree; ++p) {
      coefficient += kernelPitch;
      for (int i = 0; i < vectors; ++i) {
        value[i] = value[i] * t + simd::load<Isa, Real, lanes>(coefficient + i * lanes);
      }
    }
    const Vec at = Vec{} + f, zero = {};
    for (int i = 0; i < vectors; ++i) {
      value[i] = at < simd::load<Isa, Real, lanes>(edge + i * lanes) ? value[i] : zero;
    }
  }
};

// Read from stored values; values of other points lie beside them and are masked.
template <class Isa, class Real, int cells>
struct StoredValues : ValueVectors<Isa, Real, cells> {
  using Base = ValueVectors<Isa, Real, cells>;
  using Base::lanes, Base::vectors, Base::value;

  inline __attribute__((always_inline))
  StoredValues(const LoopKernel<Real>& kernel, const Real* stored, std::int64_t shift) {
    const Real* inside = kernel.inside() - shift;
    for (int i = 0; i < vectors; ++i) {
      value[i] = simd::load<Isa, Real, lanes>(stored - shift + i * lanes) *
                 simd::load<Isa, Real, lanes>(inside + i * lanes);
    }
  }
};

// Kernel values in x, each twice, as they multiply a row of interleaved complex numbers.
template <class Isa, class Real, int cells, int rowLanes, int rowVectors>
struct RowWeights {
  static constexpr int lanes = rowLanes, vectors = rowVectors;
  using Vec = simd::Vec<Isa, Real, lanes>;
  using Kernel = ValueVectors<Isa, Real, cells>;
  Vec value[vectors];

  inline __attribute__((always_inline)) explicit RowWeights(const Kernel& kernel) {
    spreadOut(kernel, std::make_integer_sequence<int, vectors>{}, std::make_integer_sequence<int, lanes>{});
  }

 private:
  template <int... vector, int... lane>
  inline __attribute__((always_inline)) void spreadOut(const Kernel& kernel,
                                                       std::integer_sequence<int, vector...>,
                                                       std::integer_sequence<int, lane...> sequence) {
    ((value[vector] = duplicated<vector * lanes / 2>(kernel, sequence)), ...);
  }
  // Lanes first, first, first + 1, first + 1, ...
  template <int first, int... lane>
  static inline __attribute__((always_inline)) Vec duplicated(const Kernel& kernel,
                                                              std::integer_sequence<int, lane...>) {
    constexpr int source = first / Kernel::lanes, within = first % Kernel::lanes;
    if constexpr (source >= Kernel::vectors) {
      return Vec{};
    } else if constexpr (within + lanes / 2 <= Kernel::lanes) {
      return __builtin_shufflevector(kernel.value[source], kernel.value[source], (within + lane / 2)...);
    } else {
      constexpr int next = source + 1 < Kernel::vectors ? source + 1 : source;
      constexpr int stop = source + 1 < Kernel::vectors ? 2 * Kernel::lanes - 1 : Kernel::lanes - 1;
      return __builtin_shufflevector(kernel.value[source], kernel.value[next],
                                     (within + lane / 2 <= stop ? within + lane / 2 : 0)...);
    }
  }
};

inline constexpr int samplePrefetchPoints = 24;

// Cuts a row of complex cells into vectors.
//
// Spreading reads and writes rows. Its vectors start at multiples of their size, up to three lanes
// before the first cell, so that none crosses a cache line and one point's store is forwarded to
// the next point's load. Registers of 32 bytes are fastest: wider ones cover more cells than the
// kernel has. Interpolation only reads: its vectors start at the first cell and are the fewest that
// the width allows.
template <class Isa, class Real, int w>
struct SpreadRow {
  static constexpr int bytes = Isa::registerBytes < 32 ? Isa::registerBytes : 32;
  static constexpr int lanes = bytes / static_cast<int>(sizeof(Real)), step = lanes / 2;
  // The least number of vectors for w cells, or one more, by the first cell's place in its vector.
  static constexpr int minVectors = (w + step - 1) / step, maxVectors = (step - 1 + w + step - 1) / step;
  static constexpr int reach = maxVectors * step;  // cells, from the first of the first vector
};

template <class Isa, class Real, int w>
struct InterpolateRow {
  static constexpr simd::Split<Isa, Real> split{2 * w};
  static constexpr int lanes = split.lanes, vectors = split.vectors;
  static constexpr int reach = lanes * vectors / 2;
};

// Kernel values of a point: in x as vectors, in y and z in memory, from where they are broadcast.
// Evaluated:
template <class Isa, class Real, int dims, int w>
struct EvaluatedWeights {
  using Kernel = KernelValues<Isa, Real, w>;
  const LoopKernel<Real>& kernel;
  Real f;
  alignas(64) Real y[Kernel::split.padded()], z[Kernel::split.padded()];

  inline __attribute__((always_inline)) EvaluatedWeights(const TileJob<Real>& job, std::int64_t j)
      : kernel(*job.kernel) {
    const SortedPoint<Real, dims>& point = static_cast<const SortedPoint<Real, dims>*>(job.points)[j];
    f = point.f[0];
    if constexpr (dims > 1) Kernel(kernel, point.f[1]).store(y);
    if constexpr (dims > 2) Kernel(kernel, point.f[2]).store(z);
  }
  template <int cells>
  inline __attribute__((always_inline)) auto x(std::int64_t shift) const {
    return KernelValues<Isa, Real, cells>(kernel, f, shift);
  }
};

// The same, stored when points were set.
template <class Isa, class Real, int dims, int w>
struct StoredWeights {
  const LoopKernel<Real>& kernel;
  const Real *first, *y, *z;

  inline __attribute__((always_inline)) StoredWeights(const TileJob<Real>& job, std::int64_t j)
      : kernel(*job.kernel), first(job.values + j * dims * w), y(first + w), z(y + w) {}
  template <int cells>
  inline __attribute__((always_inline)) auto x(std::int64_t shift) const {
    return StoredValues<Isa, Real, cells>(kernel, first, shift);
  }
};

template <class Isa, class Real, int dims, int w, template <class, class, int, int> class Weights>
struct SpreadLoops {
  using Cut = SpreadRow<Isa, Real, w>;
  static constexpr int lanes = Cut::lanes;
  using Vec = simd::Vec<Isa, Real, lanes>;
  using Outer = Weights<Isa, Real, dims, w>;

  template <int vectors>
  static inline __attribute__((always_inline)) void addRow(Real* row, const Vec (&value)[vectors],
                                                           Real factor) {
    row = static_cast<Real*>(__builtin_assume_aligned(row, Cut::bytes));
    for (int i = 0; i < vectors; ++i) {
      Real* at = row + i * lanes;
      simd::store<Isa, Real, lanes>(at, simd::load<Isa, Real, lanes>(at) + value[i] * factor);
    }
  }

  template <int... lane>
  static inline __attribute__((always_inline)) Vec repeated(Real re, Real im,
                                                            std::integer_sequence<int, lane...>) {
    return Vec{(lane % 2 ? im : re)...};
  }

  // One point; its first cell is `before` cells into its first vector.
  template <int vectors>
  static inline __attribute__((always_inline)) void add(const TileJob<Real>& job,
                                                        const SortedPoint<Real, dims>& point,
                                                        std::int64_t before, const Outer& outer,
                                                        const Vec& sample) {
    constexpr int cells = vectors * Cut::step;
    const std::int64_t strideY = 2 * job.strideY, strideZ = 2 * job.strideZ;
    const RowWeights<Isa, Real, cells, lanes, vectors> row(outer.template x<cells>(before));
    Vec x[vectors];
    for (int i = 0; i < vectors; ++i) x[i] = row.value[i] * sample;
    Real* cell = reinterpret_cast<Real*>(job.grid) + 2 * (static_cast<std::int64_t>(point.offset) - before);
    if constexpr (dims == 1) {
      addRow(cell, x, Real(1));
    } else if constexpr (dims == 2) {
#pragma GCC unroll 16
      for (int y = 0; y < w; ++y) addRow(cell + y * strideY, x, outer.y[y]);
    } else {
      for (int z = 0; z < w; ++z) {
        Vec xz[vectors];
        for (int i = 0; i < vectors; ++i) xz[i] = x[i] * outer.z[z];
#pragma GCC unroll 16
        for (int y = 0; y < w; ++y) addRow(cell + z * strideZ + y * strideY, xz, outer.y[y]);
      }
    }
  }

  static void run(const TileJob<Real>& job) {
    const auto* points = static_cast<const SortedPoint<Real, dims>*>(job.points);
    const std::int64_t count = job.count;
    for (std::int64_t j = 0; j < count; ++j) {
      const SortedPoint<Real, dims>& point = points[j];
      if (j + samplePrefetchPoints < count) {
        __builtin_prefetch(job.input + points[j + samplePrefetchPoints].source);
      }
      const std::complex<Real> c = job.input[job.sorted ? j : point.source];
      const Vec sample = repeated(c.real(), c.imag(), std::make_integer_sequence<int, lanes>{});
      const Outer outer(job, j);
      // Tiles and rows start at whole vectors.
      const std::int64_t before = point.offset % Cut::step;
      if (Cut::minVectors == Cut::maxVectors || before + w <= Cut::minVectors * Cut::step) {
        add<Cut::minVectors>(job, point, before, outer, sample);
      } else {
        add<Cut::maxVectors>(job, point, before, outer, sample);
      }
    }
  }
};

template <class Isa, class Real>
void moveToSums(Real* cells, double* sums, std::int64_t reals) {
  constexpr int fit = Isa::registerBytes / int(sizeof(double)), lanes = fit < 8 ? fit : 8;
  for (std::int64_t i = 0; i < reals; i += lanes) {
    const auto moved =
        __builtin_convertvector(simd::load<Isa, Real, lanes>(cells + i), simd::Vec<Isa, double, lanes>);
    simd::store<Isa, double, lanes>(sums + i, simd::load<Isa, double, lanes>(sums + i) + moved);
    simd::store<Isa, Real, lanes>(cells + i, simd::Vec<Isa, Real, lanes>{});
  }
}

template <class Isa, class Real, int dims, int w, template <class, class, int, int> class Weights>
struct InterpolateLoops {
  using Cut = InterpolateRow<Isa, Real, w>;
  static constexpr int lanes = Cut::lanes, vectors = Cut::vectors;
  using Row = RowWeights<Isa, Real, w, lanes, vectors>;
  using Vec = typename Row::Vec;

  // sum_y y[...] row_y
  static inline __attribute__((always_inline)) void gatherRows(const Real* cell, std::int64_t strideY,
                                                               const Real* y, Vec (&sum)[vectors]) {
    for (int i = 0; i < vectors; ++i) sum[i] = simd::load<Isa, Real, lanes>(cell + i * lanes) * y[0];
#pragma GCC unroll 16
    for (int k = 1; k < w; ++k) {
      for (int i = 0; i < vectors; ++i) {
        sum[i] += simd::load<Isa, Real, lanes>(cell + k * strideY + i * lanes) * y[k];
      }
    }
  }

  static inline __attribute__((always_inline)) std::complex<Real> total(Vec sum) {
    alignas(64) Real part[lanes];
    simd::store<Isa, Real, lanes>(part, sum);
    Real re = part[0], im = part[1];
#pragma GCC unroll 16
    for (int i = 2; i < lanes; i += 2) {
      re += part[i];
      im += part[i + 1];
    }
    return {re, im};
  }

  static void run(const TileJob<Real>& job) {
    const auto* points = static_cast<const SortedPoint<Real, dims>*>(job.points);
    const std::int64_t strideY = 2 * job.strideY, strideZ = 2 * job.strideZ;
    for (std::int64_t j = 0; j < job.count; ++j) {
      const SortedPoint<Real, dims>& point = points[j];
      // To be written: neighbours' samples lie far apart, perhaps in other threads' caches.
      if (!job.sorted && j + samplePrefetchPoints < job.count)
        __builtin_prefetch(job.output + points[j + samplePrefetchPoints].source, 1);
      const Weights<Isa, Real, dims, w> outer(job, j);
      const Row row(outer.template x<w>(0));
      const Real* cell =
          reinterpret_cast<const Real*>(job.grid) + 2 * static_cast<std::int64_t>(point.offset);
      Vec sum[vectors];
      if constexpr (dims == 1) {
        for (int i = 0; i < vectors; ++i) sum[i] = simd::load<Isa, Real, lanes>(cell + i * lanes);
      } else if constexpr (dims == 2) {
        gatherRows(cell, strideY, outer.y, sum);
      } else {
        for (int i = 0; i < vectors; ++i) sum[i] = Vec{};
        for (int z = 0; z < w; ++z) {
          Vec plane[vectors];
          gatherRows(cell + z * strideZ, strideY, outer.y, plane);
          for (int i = 0; i < vectors; ++i) sum[i] += plane[i] * outer.z[z];
        }
      }
      Vec value = sum[0] * row.value[0];
      for (int i = 1; i < vectors; ++i) value += sum[i] * row.value[i];
      job.output[job.sorted ? j : point.source] = total(value);
    }
  }
};

template <class Isa, class Real, template <class, class, int, int> class Weights = EvaluatedWeights, int... w>
constexpr TileFunctions<Real> makeSpreadFunctions(std::integer_sequence<int, w...>) {
  TileFunctions<Real> table;
  ((table.function[1][w + 1] = SpreadLoops<Isa, Real, 1, w + 1, Weights>::run), ...);
  ((table.function[2][w + 1] = SpreadLoops<Isa, Real, 2, w + 1, Weights>::run), ...);
  ((table.function[3][w + 1] = SpreadLoops<Isa, Real, 3, w + 1, Weights>::run), ...);
  ((table.reach[w + 1] = SpreadRow<Isa, Real, w + 1>::reach), ...);
  table.moveToSums = moveToSums<Isa, Real>;
  return table;
}

template <class Isa, class Real, template <class, class, int, int> class Weights = EvaluatedWeights, int... w>
constexpr TileFunctions<Real> makeInterpolateFunctions(std::integer_sequence<int, w...>) {
  TileFunctions<Real> table;
  ((table.function[1][w + 1] = InterpolateLoops<Isa, Real, 1, w + 1, Weights>::run), ...);
  ((table.function[2][w + 1] = InterpolateLoops<Isa, Real, 2, w + 1, Weights>::run), ...);
  ((table.function[3][w + 1] = InterpolateLoops<Isa, Real, 3, w + 1, Weights>::run), ...);
  ((table.reach[w + 1] = InterpolateRow<Isa, Real, w + 1>::reach), ...);
  return table;
}

using KernelWidths = std::make_integer_sequence<int, maxKernelCells>;

}  // namespace spokelab
