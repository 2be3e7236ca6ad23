// The loop behind locate.h. Included by the files named after an instruction set only.
#pragma once

#include <limits>
#include <utility>

#include "engine/core/simd/simd.h"
#include "engine/nufft/points/locate.h"

namespace spokelab {

template <class Isa, class Real>
struct LocateLoops {
  static constexpr int lanes = Isa::registerBytes / static_cast<int>(sizeof(double));
  using Vec = simd::Vec<Isa, double, lanes>;
  using Unsigned = simd::Vec<Isa, std::uint32_t, lanes>;
  using Signed = simd::Vec<Isa, std::int32_t, lanes>;
  using Fraction = simd::Vec<Isa, Real, lanes>;

  // Adding and subtracting this rounds to a whole number, for magnitudes below `maxFoldable`.
  static constexpr double rounder = 6755399441055744.0;      // 1.5 x 2^52
  static constexpr double maxFoldable = 1125899906842624.0;  // 2^50

  static inline __attribute__((always_inline)) Vec rounded(Vec v) { return (v + rounder) - rounder; }

  // The place of a point: `whole` + `rest` cells. In double precision the product with the number
  // of cells is exact in its first part and has a remainder of less than two cells: its rounding, u
  // of the distance from the centre, would turn the outer pixels of a long image by pi N u / 2.
  struct Place {
    Vec whole, rest;
  };
  // Adding and subtracting this rounds magnitudes up to 1/2 to multiples of 2^-26: their product
  // with fewer than 2^28 cells is exact.
  static constexpr double splitter = 100663296.0;  // 1.5 x 2^26

  // turns: in [-1/2, 1/2].
  static inline __attribute__((always_inline)) Place placeOf(Vec turns, Vec cells) {
    if constexpr (sizeof(Real) == sizeof(float)) return {Vec{}, turns * cells};
    const Vec high = (turns + splitter) - splitter, product = high * cells, whole = rounded(product);
    return {whole, (product - whole) + (turns - high) * cells};
  }

  // Brings coordinates of any size into range; false where one is not finite.
  static bool reduce(double* k, int count) {
    for (int i = 0; i < count; ++i) {
      if (k[i] - k[i] != 0) return false;
      if (!(k[i] < maxFoldable && k[i] > -maxFoldable)) k[i] = __builtin_fmod(k[i], 1.0);
    }
    return true;
  }

  // Coordinate d of `lanes` points that lie interleaved.
  template <int dims, int... lane>
  static inline __attribute__((always_inline)) Vec pick(const double* points, int d,
                                                        std::integer_sequence<int, lane...>) {
    const Vec a = simd::load<Isa, double, lanes>(points);
    if constexpr (dims == 1) {
      return a;
    } else {
      const Vec b = simd::load<Isa, double, lanes>(points + lanes);
      if constexpr (dims == 2) {
        return d == 0 ? __builtin_shufflevector(a, b, (2 * lane)...)
                      : __builtin_shufflevector(a, b, (2 * lane + 1)...);
      } else {
        const Vec c = simd::load<Isa, double, lanes>(points + 2 * lanes);
        return d == 0   ? pickOf<0>(a, b, c, std::integer_sequence<int, lane...>{})
               : d == 1 ? pickOf<1>(a, b, c, std::integer_sequence<int, lane...>{})
                        : pickOf<2>(a, b, c, std::integer_sequence<int, lane...>{});
      }
    }
  }
  template <int d, int... lane>
  static inline __attribute__((always_inline)) Vec pickOf(Vec a, Vec b, Vec c,
                                                          std::integer_sequence<int, lane...>) {
    constexpr int two = 2 * lanes;
    const Vec low = __builtin_shufflevector(a, b, (3 * lane + d < two ? 3 * lane + d : 0)...);
    return __builtin_shufflevector(low, c, (3 * lane + d < two ? lane : 3 * lane + d - lanes)...);
  }

  template <int... lane>
  static inline __attribute__((always_inline)) Unsigned lookUp(const std::uint32_t* table, Unsigned at,
                                                               std::integer_sequence<int, lane...>) {
    return Unsigned{table[at[lane]]...};
  }

  // Locates a whole block. keysOnly: only the bins' numbers. Returns false where a coordinate is
  // too large to be folded here, or not finite.
  template <int dims, bool keysOnly, bool tabled>
  static bool locate(const LocateAxis* axes, const double* points, Located<Real>& out) {
    auto inside = Vec{} == Vec{};
    for (int d = 0; d < dims; ++d) {
      const LocateAxis axis = axes[d];
      const Vec zero = {}, one = zero + 1, cells = zero + axis.cells;
      const std::uint32_t tileMask = (std::uint32_t{1} << axis.tileShift) - 1;
      for (int i = 0; i < pointsPerLocate; i += lanes) {
        const Vec v = pick<dims>(points + i * dims, d, std::make_integer_sequence<int, lanes>{});
        inside &= (v < maxFoldable) & (v > -maxFoldable);
        // Counted from the centre of the period.
        const Place place = placeOf(v - rounded(v), cells);
        const Vec low = place.rest - axis.halfWidth;
        const Vec near = rounded(low);
        const Vec above = near + (near < low ? one : zero);  // ceil
        const Vec unwrapped = place.whole + above;
        const Vec first = unwrapped + (unwrapped < 0 ? cells : zero);

        Unsigned cell = __builtin_convertvector(__builtin_convertvector(first, Signed), Unsigned);
        Unsigned key;
        if constexpr (tabled) {
          const auto known = __builtin_convertvector(cells, Unsigned);
          // A coordinate that is not finite must not read beyond the table.
          cell = cell < known ? cell : Unsigned{};
          key = lookUp(axis.cellKey, cell, std::make_integer_sequence<int, lanes>{});
        } else {
          key = (cell >> axis.tileShift) * axis.tileKey + ((cell & tileMask) >> axis.binShift) * axis.binKey;
        }
        if (d > 0) key += simd::load<Isa, std::uint32_t, lanes>(out.key + i);
        simd::store<Isa, std::uint32_t, lanes>(out.key + i, key);
        if constexpr (!keysOnly) {
          Unsigned offset;
          if constexpr (tabled)
            offset = lookUp(axis.cellOffset, cell, std::make_integer_sequence<int, lanes>{});
          else
            offset = (cell & tileMask) * axis.stride;
          if (d > 0) offset += simd::load<Isa, std::uint32_t, lanes>(out.offset + i);
          simd::store<Isa, std::uint32_t, lanes>(out.offset + i, offset);
          const Fraction below = Fraction{} + (1 - std::numeric_limits<Real>::epsilon() / 2);  // just below 1
          const Fraction fraction = __builtin_convertvector(above - low, Fraction);
          simd::store<Isa, Real, lanes>(out.f[d] + i, fraction < below ? fraction : below);
        }
      }
    }
    bool all = true;
    for (int lane = 0; lane < lanes; ++lane) all &= inside[lane] != 0;
    return all;
  }

  // The same for short blocks, which are padded, and for any coordinates, which are reduced first.
  template <int dims, bool keysOnly, bool tabled>
  static bool locateAny(const LocateAxis* axes, const double* points, int count, Located<Real>& out) {
    if (count == pointsPerLocate && locate<dims, keysOnly, tabled>(axes, points, out)) return true;
    double k[pointsPerLocate * dims] = {};
    for (int i = 0; i < count * dims; ++i) k[i] = points[i];
    return reduce(k, count * dims) && locate<dims, keysOnly, tabled>(axes, k, out);
  }

  template <int dims>
  static bool locateWith(const LocateAxis* axes, const double* points, int count, bool keysOnly,
                         Located<Real>& out) {
    if (axes[0].cellKey)
      return keysOnly ? locateAny<dims, true, true>(axes, points, count, out)
                      : locateAny<dims, false, true>(axes, points, count, out);
    return keysOnly ? locateAny<dims, true, false>(axes, points, count, out)
                    : locateAny<dims, false, false>(axes, points, count, out);
  }

  static bool run(const LocateAxis* axes, int dims, const double* points, int count, bool keysOnly,
                  Located<Real>& out) {
    switch (dims) {
      case 1:
        return locateWith<1>(axes, points, count, keysOnly, out);
      case 2:
        return locateWith<2>(axes, points, count, keysOnly, out);
      default:
        return locateWith<3>(axes, points, count, keysOnly, out);
    }
  }
};

}  // namespace spokelab
