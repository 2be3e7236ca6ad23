// The loops of coil_loops.h as templates on the instruction set. Nothing of the standard library is
// called here: its functions would be linked from the file of one set into all.
#pragma once

#include "engine/core/simd/simd.h"
#include "engine/recon/coils/kernels/coil_loops.h"

namespace spokelab {

template <class Isa, class Real>
struct CoilLoopsOf {
  static constexpr int lanes = Isa::registerBytes / static_cast<int>(sizeof(Real));
  static constexpr int plane = pixelTile;
  using V = simd::Vec<Isa, Real, lanes>;

  static V load(const Real* p) { return simd::load<Isa, Real, lanes>(p); }
  static void store(Real* p, const V& v) { simd::store<Isa, Real, lanes>(p, v); }

  static void addScaled(long count, Real re, Real im, const Real* __restrict inRe,
                        const Real* __restrict inIm, Real* __restrict outRe, Real* __restrict outIm) {
    for (long i = 0; i < count; ++i) {
      outRe[i] += re * inRe[i] - im * inIm[i];
      outIm[i] += re * inIm[i] + im * inRe[i];
    }
  }

  // `group` matrices' elements together, which share the loads of the phases.
  template <int group>
  static void evaluateGroup(int terms, const Real* re, const Real* im, const Real* phases, Real* matrices) {
    for (int part = 0; part < plane; part += lanes) {
      V sumRe[group], sumIm[group];
      for (int g = 0; g < group; ++g) sumRe[g] = sumIm[g] = V{};
      for (int t = 0; t < terms; ++t) {
        const V c = load(phases + (2 * t) * plane + part), s = load(phases + (2 * t + 1) * plane + part);
        for (int g = 0; g < group; ++g) {
          const Real a = re[g * terms + t], b = im[g * terms + t];
          sumRe[g] += a * c;
          sumRe[g] -= b * s;
          sumIm[g] += a * s;
          sumIm[g] += b * c;
        }
      }
      for (int g = 0; g < group; ++g) {
        store(matrices + (2 * g) * plane + part, sumRe[g]);
        store(matrices + (2 * g + 1) * plane + part, sumIm[g]);
      }
    }
  }

  static void evaluate(int pairs, int terms, const Real* re, const Real* im, const Real* phases,
                       Real* matrices) {
    constexpr int group = 4;
    int p = 0;
    for (; p + group <= pairs; p += group)
      evaluateGroup<group>(terms, re + p * terms, im + p * terms, phases, matrices + 2 * p * plane);
    for (; p < pairs; ++p)
      evaluateGroup<1>(terms, re + p * terms, im + p * terms, phases, matrices + 2 * p * plane);
  }

  static void addOuter(int coils, const Real* v, Real* matrices) {
    for (int a = 0; a < coils; ++a)
      for (int part = 0; part < plane; part += lanes) {
        const V re = load(v + (2 * a) * plane + part), im = load(v + (2 * a + 1) * plane + part);
        Real* m = matrices + a * (a + 1) * plane + part;
        for (int b = 0; b <= a; ++b, m += 2 * plane) {
          const V c = load(v + (2 * b) * plane + part), d = load(v + (2 * b + 1) * plane + part);
          store(m, load(m) + re * c + im * d);
          store(m + plane, load(m + plane) + im * c - re * d);
        }
      }
  }

  static void boxSum(int planes, long row, long first, int half, const Real* in, Real* out) {
    for (int p = 0; p < planes; ++p, in += row, out += plane)
      for (int part = 0; part < plane; part += lanes) {
        V sum{};
        for (long x = first + part - half; x <= first + part + half; ++x) sum += load(in + x);
        store(out + part, sum);
      }
  }

  // next = m v for the pixels of one register.
  static void multiply(int coils, const Real* m, const Real* v, Real* next) {
    for (int a = 0; a < coils; ++a) {
      const V re = load(v + (2 * a) * plane), im = load(v + (2 * a + 1) * plane);
      V sumRe{}, sumIm{};
      for (int b = 0; b < a; ++b, m += 2 * plane) {
        const V h = load(m), k = load(m + plane);
        const V c = load(v + (2 * b) * plane), d = load(v + (2 * b + 1) * plane);
        Real* other = next + (2 * b) * plane;
        sumRe += h * c;
        sumIm += h * d;
        sumRe -= k * d;
        sumIm += k * c;
        V otherRe = load(other), otherIm = load(other + plane);
        otherRe += h * re;
        otherIm += h * im;
        otherRe += k * im;
        otherIm -= k * re;
        store(other, otherRe);
        store(other + plane, otherIm);
      }
      const V h = load(m);
      m += 2 * plane;
      store(next + (2 * a) * plane, sumRe + h * re);
      store(next + (2 * a + 1) * plane, sumIm + h * im);
    }
  }

  static Real root(Real x) {
    if constexpr (sizeof(Real) == sizeof(float))
      return __builtin_sqrtf(x);
    else
      return __builtin_sqrt(x);
  }

  // v = next / |next|, where that is not 0; returns the largest square of the change.
  static Real normalise(int coils, const Real* next, Real* v, Real* values) {
    V square{};
    for (int i = 0; i < 2 * coils; ++i) {
      const V x = load(next + i * plane);
      square += x * x;
    }
    Real squares[lanes], scales[lanes], kept[lanes];
    store(squares, square);
    for (int l = 0; l < lanes; ++l) {
      const bool any = squares[l] > 0;
      values[l] = root(squares[l]);
      scales[l] = any ? 1 / values[l] : 0;
      kept[l] = any ? 0 : 1;
    }
    const V scale = load(scales), keep = load(kept);
    V change{};
    for (int i = 0; i < 2 * coils; ++i) {
      const V before = load(v + i * plane), x = load(next + i * plane) * scale + before * keep;
      change += (x - before) * (x - before);
      store(v + i * plane, x);
    }
    store(squares, change);
    Real largest = 0;
    for (int l = 0; l < lanes; ++l) largest = squares[l] > largest ? squares[l] : largest;
    return largest;
  }

  static void leading(int coils, const PowerLimits& limits, const Real* matrices, Real* vectors, Real* values,
                      Real* work) {
    const Real least = Real(limits.tolerance * limits.tolerance);
    for (int part = 0; part < plane; part += lanes)
      for (int step = 0; step < limits.maxSteps; ++step) {
        multiply(coils, matrices + part, vectors + part, work + part);
        if (normalise(coils, work + part, vectors + part, values + part) < least) break;
      }
  }

  // `height` rows and `width` registers of columns of c.
  template <int height, int width>
  static void productTile(long rows, const Real* a, const Real* b, Real* c) {
    V re[height][width], im[height][width];
    for (int i = 0; i < height; ++i)
      for (int w = 0; w < width; ++w) {
        re[i][w] = load(c + 2 * i * panelWidth + w * lanes);
        im[i][w] = load(c + (2 * i + 1) * panelWidth + w * lanes);
      }
    for (long r = 0; r < rows; ++r, a += 2 * panelWidth, b += 2 * panelWidth) {
      V x[width], y[width];
      for (int w = 0; w < width; ++w) x[w] = load(b + w * lanes), y[w] = load(b + panelWidth + w * lanes);
      for (int i = 0; i < height; ++i) {
        const Real p = a[i], q = a[panelWidth + i];
        for (int w = 0; w < width; ++w) {
          re[i][w] += p * x[w];
          im[i][w] += p * y[w];
          re[i][w] += q * y[w];
          im[i][w] -= q * x[w];
        }
      }
    }
    for (int i = 0; i < height; ++i)
      for (int w = 0; w < width; ++w) {
        store(c + 2 * i * panelWidth + w * lanes, re[i][w]);
        store(c + (2 * i + 1) * panelWidth + w * lanes, im[i][w]);
      }
  }

  static void panelProduct(long rows, const Real* a, const Real* b, Real* c) {
    // 32 registers hold 4 x 2 complex sums, 16 hold 2 x 2.
    constexpr int height = Isa::registerBytes == 64 ? 4 : 2, width = 2;
    for (int j = 0; j < panelWidth; j += width * lanes)
      for (int i = 0; i < panelWidth; i += height)
        productTile<height, width>(rows, a + i, b + j, c + 2 * i * panelWidth + j);
  }
};

template <class Isa, class Real>
constexpr CoilLoops<Real> makeCoilLoops() {
  using L = CoilLoopsOf<Isa, Real>;
  return {L::addScaled, L::evaluate, L::addOuter, L::boxSum, L::leading, L::panelProduct};
}

}  // namespace spokelab
