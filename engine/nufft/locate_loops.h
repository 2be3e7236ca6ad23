// The loop behind locate.h, included by the files named after an instruction set only.
#pragma once

#include <limits>

#include "engine/nufft/locate.h"
#include "engine/nufft/simd.h"

namespace spokelab {

template <class Isa, class Real>
struct LocateLoops {
  static constexpr int lanes = Isa::registerBytes / static_cast<int>(sizeof(double));
  using Vec = simd::Vec<Isa, double, lanes>;
  using Unsigned = simd::Vec<Isa, std::uint32_t, lanes>;
  using Signed = simd::Vec<Isa, std::int32_t, lanes>;
  using Fraction = simd::Vec<Isa, Real, lanes>;

  // Adding and subtracting this rounds to a whole number, for magnitudes below `largest`.
  static constexpr double rounder = 6755399441055744.0;  // 1.5 x 2^52
  static constexpr double largest = 1125899906842624.0;  // 2^50

  static inline __attribute__((always_inline)) Vec rounded(Vec v) { return (v + rounder) - rounder; }

  // Brings coordinates of any size into range; false where one is not finite. Rarely needed.
  static bool reduce(double* k, int count) {
    for (int i = 0; i < count; ++i) {
      if (k[i] - k[i] != 0) return false;
      if (!(k[i] < largest && k[i] > -largest)) k[i] = __builtin_fmod(k[i], 1.0);
    }
    return true;
  }

  static bool run(const LocateAxis* axes, int dims, const double* points, int count, Located<Real>& out) {
    const int padded = (count + lanes - 1) / lanes * lanes;
    for (int d = 0; d < dims; ++d) {
      const LocateAxis axis = axes[d];
      alignas(64) double k[locateBlock];
      for (int i = 0; i < count; ++i) k[i] = points[i * dims + d];
      for (int i = count; i < padded; ++i) k[i] = 0;
      int inside = -1;
      for (int i = 0; i < padded; i += lanes) {
        const Vec v = simd::load<Isa, double, lanes>(k + i);
        const auto fine = __builtin_convertvector((v < largest) & (v > -largest), Signed);
        for (int lane = 0; lane < lanes; ++lane) inside &= fine[lane];
      }
      if (!inside && !reduce(k, count)) return false;

      const Vec zero = {}, one = zero + 1, cells = zero + axis.cells;
      for (int i = 0; i < padded; i += lanes) {
        const Vec v = simd::load<Isa, double, lanes>(k + i);
        const Vec nearest = rounded(v);
        const Vec folded = v - (nearest - (nearest > v ? one : zero));  // k - floor(k)
        const Vec low = folded * cells - axis.halfWidth;
        const Vec near = rounded(low);
        Vec first = near + (near < low ? one : zero);  // ceil
        const Vec f = first - low;
        first += first < 0 ? cells : zero;
        first -= first >= cells ? cells : zero;

        const Unsigned cell = __builtin_convertvector(__builtin_convertvector(first, Signed), Unsigned);
        const Unsigned tile = cell >> axis.tileShift;
        const Unsigned inTile = cell - (tile << axis.tileShift);
        Unsigned key = tile * axis.tileKey + (inTile >> axis.binShift) * axis.binKey;
        Unsigned offset = inTile * axis.stride;
        if (d > 0) {
          key += simd::load<Isa, std::uint32_t, lanes>(out.key + i);
          offset += simd::load<Isa, std::uint32_t, lanes>(out.offset + i);
        }
        simd::store<Isa, std::uint32_t, lanes>(out.key + i, key);
        simd::store<Isa, std::uint32_t, lanes>(out.offset + i, offset);

        const Fraction below = Fraction{} + (1 - std::numeric_limits<Real>::epsilon() / 2);  // stays below 1
        const Fraction fraction = __builtin_convertvector(f, Fraction);
        simd::store<Isa, Real, lanes>(out.f[d] + i, fraction < below ? fraction : below);
      }
    }
    return true;
  }
};

}  // namespace spokelab
