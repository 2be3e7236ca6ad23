// Bodies of GdftLoops, templates on an instruction set:
//   struct Set {
//     using Arch = xsimd's;
//     static constexpr bool fused;
//     static constexpr int registers;
//   };
#pragma once

#include <algorithm>
#include <cstring>

#include "engine/recon/field/gdft/gdft_loops.h"
#include "engine/recon/field/gdft/gdft_math.h"

namespace spokelab::gdft {

constexpr std::int64_t inputsPerSum = 128;  // terms added in Real; their sums are added in double

template <class Set, class Real, bool grid, GdftForm form>
struct Loops {
  using B = xsimd::batch<Real, typename Set::Arch>;
  using I = IntegerBatch<B>;
  using Step = typename GdftStep<Real>::Type;
  static constexpr int lanes = int(B::size);
  static constexpr bool modulated = form == GdftForm::modulated;
  static constexpr bool wide = form != GdftForm::narrow && std::is_same_v<Real, float>;
  static constexpr int maxVectors = Set::registers >= 32 && !modulated ? 4 : 2;  // vectors of outputs a pass

  static B load(const Real* p) { return B::load_unaligned(p); }
  static void add(double* to, const B& sums) {
    alignas(64) Real values[lanes];
    sums.store_aligned(values);
    for (int l = 0; l < lanes; ++l) to[l] += double(values[l]);
  }

  // Phases of the regular grid: fixed point in float, turns in double.
  using Phase = std::conditional_t<std::is_same_v<Real, float>, I, B>;
  static Phase loadPhase(const Step* p) {
    if constexpr (std::is_same_v<Real, float>)
      return I::load_unaligned(reinterpret_cast<const std::int32_t*>(p));
    else
      return B::load_unaligned(p);
  }
  static Phase spread(Step value) {
    if constexpr (std::is_same_v<Real, float>)
      return I(std::int32_t(value));
    else
      return B(value);
  }
  static B turns(const Phase& p, const B& rest) {
    if constexpr (std::is_same_v<Real, float>)
      return gdft::fma(xsimd::to_float(p), B(Constants<float>::perTurn), rest);
    else
      return p + rest;
  }
  // f t, in turns; wide: less its whole turns, with the low halves.
  static B fieldTurns(const B& f, const B& fLow, const B& t, const B& tLow) {
    if constexpr (wide)
      return gdft::fma(f, tLow, gdft::fma(fLow, t, reducedProduct<Set::fused>(f, t)));
    else
      return f * t;
  }
  static B productTurns(const B& a, const B& aLow, const B& b, const B& bLow) {
    return gdft::fma(a, bLow, gdft::fma(aLow, b, reducedProduct<Set::fused>(a, b)));
  }

  static B modulation(const B (&voxel)[3], const B (&gradient)[3], const B& decay, const B& t, bool sinc,
                      bool decays) {
    B factor(1);
    if (sinc)
      factor = sincProduct(gdft::fma(gradient[0], t, voxel[0]), gdft::fma(gradient[1], t, voxel[1]),
                           gdft::fma(gradient[2], t, voxel[2]));
    if (decays) factor = factor * power2(decay * t * B(Real(-1.4426950408889634)));  // log2(e)
    return factor;
  }

  template <int R>
  static void forwardVectors(const GdftSamples<Real>& s, const GdftPixels<Real>& p, const Real* inRe,
                             const Real* inIm, std::int64_t first, GdftRange rows, double* outRe,
                             double* outIm) {
    B t[R], tLow[R];
    Phase step[R];
    for (int v = 0; v < R; ++v) {
      t[v] = load(s.time + first + v * lanes);
      tLow[v] = wide ? load(s.timeLow + first + v * lanes) : B(0);
      if constexpr (grid) step[v] = loadPhase(s.step[0] + first + v * lanes);
    }
    alignas(64) Step base[R * lanes];
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      const std::int64_t y = row % p.size[1] - p.size[1] / 2, z = row / p.size[1] - p.size[2] / 2;
      for (std::int64_t x0 = 0; x0 < p.rowLength; x0 += inputsPerSum) {
        Phase phase[R];
        B re[R], im[R];
        if constexpr (grid) {
          const auto nx = Step(x0 - p.size[0] / 2), ny = Step(y), nz = Step(z);
          for (int l = 0; l < R * lanes; ++l)
            base[l] = s.step[0][first + l] * nx + s.step[1][first + l] * ny + s.step[2][first + l] * nz;
        }
        for (int v = 0; v < R; ++v) {
          if constexpr (grid) phase[v] = loadPhase(base + v * lanes);
          re[v] = im[v] = B(0);
        }
        const std::int64_t at = row * p.rowPadded, end = std::min(x0 + inputsPerSum, p.rowLength);
        for (std::int64_t x = x0; x < end; ++x) {
          const B f(p.field[at + x]), fLow(wide ? p.fieldLow[at + x] : Real(0));
          const B mRe(inRe[at + x]), mIm(inIm[at + x]);
          for (int v = 0; v < R; ++v) {
            B total = fieldTurns(f, fLow, t[v], tLow[v]);
            if constexpr (grid) {
              total = turns(phase[v], total);
              phase[v] = phase[v] + step[v];
            } else {
              for (int d = 0; d < 3; ++d)
                total = total + productTurns(load(s.k[d] + first + v * lanes),
                                             load(s.kLow[d] + first + v * lanes), B(p.r[d][at + x]),
                                             B(p.rLow[d][at + x]));
            }
            if constexpr (modulated)
              for (int e = 0; e < p.forms; ++e)
                total = total + productTurns(load(s.turns[e] + first + v * lanes),
                                             load(s.turnsLow[e] + first + v * lanes), B(p.places[e][at + x]),
                                             B(p.placesLow[e][at + x]));
            B sine, cosine;
            sinCosTurns(total, sine, cosine);
            if constexpr (modulated) {
              const bool sinc = p.gradient[0] != nullptr;
              B voxel[3], gradient[3];
              for (int d = 0; d < 3; ++d) {
                voxel[d] = sinc ? load(s.voxel[d] + first + v * lanes) : B(0);
                gradient[d] = B(sinc ? p.gradient[d][at + x] : Real(0));
              }
              const B factor = modulation(voxel, gradient, B(p.decay ? p.decay[at + x] : Real(0)), t[v], sinc,
                                          p.decay != nullptr);
              sine = sine * factor;
              cosine = cosine * factor;
            }
            re[v] = gdft::fma(mIm, sine, gdft::fma(mRe, cosine, re[v]));
            im[v] = gdft::fma(-mRe, sine, gdft::fma(mIm, cosine, im[v]));
          }
        }
        for (int v = 0; v < R; ++v) {
          add(outRe + v * lanes, re[v]);
          add(outIm + v * lanes, im[v]);
        }
      }
    }
  }

  static void forward(const GdftSamples<Real>& s, const GdftPixels<Real>& p, const Real* inRe,
                      const Real* inIm, std::int64_t first, GdftRange rows, double* outRe, double* outIm) {
    for (std::int64_t o = 0; o < gdftPadding && first + o < s.count; o += maxVectors * lanes)
      forwardVectors<maxVectors>(s, p, inRe, inIm, first + o, rows, outRe + o, outIm + o);
  }

  template <int R>
  static void adjointVectors(const GdftSamples<Real>& s, const GdftPixels<Real>& p, const Real* inRe,
                             const Real* inIm, std::int64_t row, std::int64_t first, GdftRange samples,
                             double* outRe, double* outIm) {
    const std::int64_t at = row * p.rowPadded + first;
    B f[R], fLow[R];
    for (int v = 0; v < R; ++v) {
      f[v] = load(p.field + at + v * lanes);
      fLow[v] = wide ? load(p.fieldLow + at + v * lanes) : B(0);
    }
    const std::int64_t y = row % p.size[1] - p.size[1] / 2, z = row / p.size[1] - p.size[2] / 2;
    const auto nx = Step(first - p.size[0] / 2), ny = Step(y), nz = Step(z);
    alignas(64) Step numbers[lanes];
    for (int l = 0; l < lanes; ++l) numbers[l] = Step(l);
    const Phase laneNumbers = loadPhase(numbers);
    for (std::int64_t j0 = samples.begin; j0 < samples.end; j0 += inputsPerSum) {
      const std::int64_t end = std::min(j0 + inputsPerSum, samples.end);
      B re[R], im[R];
      for (int v = 0; v < R; ++v) re[v] = im[v] = B(0);
      for (std::int64_t j = j0; j < end; ++j) {
        const B t(s.time[j]), tLow(wide ? s.timeLow[j] : Real(0));
        const B dRe(inRe[j]), dIm(inIm[j]);
        Phase phase, next;
        if constexpr (grid) {
          const Step ux = s.step[0][j], base = ux * nx + s.step[1][j] * ny + s.step[2][j] * nz;
          phase = spread(base) + laneNumbers * spread(ux);
          next = spread(Step(Step(lanes) * ux));
        }
        for (int v = 0; v < R; ++v) {
          B total = fieldTurns(f[v], fLow[v], t, tLow);
          if constexpr (grid) {
            total = turns(phase, total);
            phase = phase + next;
          } else {
            for (int d = 0; d < 3; ++d)
              total = total + productTurns(load(p.r[d] + at + v * lanes), load(p.rLow[d] + at + v * lanes),
                                           B(s.k[d][j]), B(s.kLow[d][j]));
          }
          if constexpr (modulated)
            for (int e = 0; e < p.forms; ++e)
              total = total + productTurns(load(p.places[e] + at + v * lanes),
                                           load(p.placesLow[e] + at + v * lanes), B(s.turns[e][j]),
                                           B(s.turnsLow[e][j]));
          B sine, cosine;
          sinCosTurns(total, sine, cosine);
          if constexpr (modulated) {
            const bool sinc = p.gradient[0] != nullptr;
            B voxel[3], gradient[3];
            for (int d = 0; d < 3; ++d) {
              voxel[d] = B(sinc ? s.voxel[d][j] : Real(0));
              gradient[d] = sinc ? load(p.gradient[d] + at + v * lanes) : B(0);
            }
            const B factor = modulation(voxel, gradient, p.decay ? load(p.decay + at + v * lanes) : B(0), t,
                                        sinc, p.decay != nullptr);
            sine = sine * factor;
            cosine = cosine * factor;
          }
          re[v] = gdft::fma(-dIm, sine, gdft::fma(dRe, cosine, re[v]));
          im[v] = gdft::fma(dRe, sine, gdft::fma(dIm, cosine, im[v]));
        }
      }
      for (int v = 0; v < R; ++v) {
        add(outRe + v * lanes, re[v]);
        add(outIm + v * lanes, im[v]);
      }
    }
  }

  static void adjoint(const GdftSamples<Real>& s, const GdftPixels<Real>& p, const Real* inRe,
                      const Real* inIm, std::int64_t row, std::int64_t first, GdftRange samples,
                      double* outRe, double* outIm) {
    std::int64_t o = 0;
    const std::int64_t end = std::min(gdftPadding, p.rowLength - first);
    for (; end - o > (maxVectors - 1) * lanes; o += maxVectors * lanes)
      adjointVectors<maxVectors>(s, p, inRe, inIm, row, first + o, samples, outRe + o, outIm + o);
    const std::int64_t left = (end - o + lanes - 1) / lanes;  // vectors, fewer than maxVectors
    if constexpr (maxVectors > 2) {
      if (left == 3) adjointVectors<3>(s, p, inRe, inIm, row, first + o, samples, outRe + o, outIm + o);
      if (left == 2) adjointVectors<2>(s, p, inRe, inIm, row, first + o, samples, outRe + o, outIm + o);
    }
    if (left == 1) adjointVectors<1>(s, p, inRe, inIm, row, first + o, samples, outRe + o, outIm + o);
  }
};

// Sine and cosine of a running phase and four fused multiply-adds, on registers alone.
template <class Set, class Real>
int ceilingLoop(std::int64_t count, Real* sink) {
  using B = xsimd::batch<Real, typename Set::Arch>;
  constexpr int vectors = Set::registers >= 32 ? 4 : 2;
  B re[vectors], im[vectors], phase[vectors];
  for (int v = 0; v < vectors; ++v) {
    re[v] = im[v] = B(0);
    phase[v] = B(Real(0.01) * Real(v));
  }
  const B a(Real(0.3)), b(Real(0.7)), step(Real(1e-3));
  for (std::int64_t i = 0; i < count; i += vectors)
    for (int v = 0; v < vectors; ++v) {
      B sine, cosine;
      sinCosTurns(phase[v], sine, cosine);
      phase[v] = phase[v] + step;
      re[v] = gdft::fma(b, sine, gdft::fma(a, cosine, re[v]));
      im[v] = gdft::fma(-a, sine, gdft::fma(b, cosine, im[v]));
    }
  Real sum = 0;
  for (int v = 0; v < vectors; ++v) {
    alignas(64) Real values[B::size];
    (re[v] + im[v]).store_unaligned(values);
    for (Real value : values) sum += value;
  }
  *sink = sum;
  return int(B::size);
}

template <class Set, class Real>
constexpr GdftLoops<Real> makeLoops() {
  using F = GdftForm;
  return {{{{Loops<Set, Real, true, F::narrow>::forward, Loops<Set, Real, true, F::wide>::forward,
             Loops<Set, Real, true, F::modulated>::forward},
            {Loops<Set, Real, false, F::narrow>::forward, Loops<Set, Real, false, F::wide>::forward,
             Loops<Set, Real, false, F::modulated>::forward}}},
          {{{Loops<Set, Real, true, F::narrow>::adjoint, Loops<Set, Real, true, F::wide>::adjoint,
             Loops<Set, Real, true, F::modulated>::adjoint},
            {Loops<Set, Real, false, F::narrow>::adjoint, Loops<Set, Real, false, F::wide>::adjoint,
             Loops<Set, Real, false, F::modulated>::adjoint}}},
          ceilingLoop<Set, Real>};
}

}  // namespace spokelab::gdft
