// Transforms of single lines, for passes that cuFFT cannot fuse with their neighbours: transforms
// of three factors of the length in registers, with twiddles and an exchange through shared memory
// between them. Unscaled; Sign of the exponent -1 or +1.
#pragma once

#include "cuda/device/complex.cuh"

namespace spokelab::gpu {

// cos and sin of 2 pi i / R, at compile time.
template <class Real, int R>
struct Roots {
  Real cosine[R], sine[R];
  constexpr Roots() : cosine(), sine() {
    for (int i = 0; i < R; ++i) {
      constexpr double pi = 3.14159265358979323846;
      const double x = 2 * pi * (2 * i > R ? i - R : i) / R;
      double c = 0, s = 0, term = 1;
      constexpr int terms = 40;  // |x| <= pi
      for (int n = 0; n < terms; ++n) {
        const double part = (n / 2) % 2 ? -term : term;
        (n % 2 ? s : c) += part;
        term *= x / (n + 1);
      }
      cosine[i] = Real(c);
      sine[i] = Real(s);
    }
  }
};
template <class Real, int R>
__device__ constexpr Roots<Real, R> roots{};

// a * (sign i)
template <int Sign, class C>
__device__ __forceinline__ C turned(C a) {
  return Sign < 0 ? C{a.y, -a.x} : C{-a.y, a.x};
}

// In-register transform of R = 2, 3, 4, 5, 7 or a product of them; natural order in and out.
template <int R, int Sign, class C>
__device__ __forceinline__ void transform(C (&a)[R]) {
  using Real = decltype(C::x);
  if constexpr (R == 2) {
    const C t = a[0];
    a[0] = plus(t, a[1]);
    a[1] = minus(t, a[1]);
  } else if constexpr (R == 3) {
    constexpr Real half = 0.5, height = 0.86602540378443864676;  // cos, sin of 60 degrees
    const C s = plus(a[1], a[2]), d = turned<Sign>(minus(a[1], a[2]));
    const C m = C{a[0].x - half * s.x, a[0].y - half * s.y};
    a[0] = plus(a[0], s);
    a[1] = C{m.x + height * d.x, m.y + height * d.y};
    a[2] = C{m.x - height * d.x, m.y - height * d.y};
  } else if constexpr (R == 4) {
    const C s = plus(a[0], a[2]), d = minus(a[0], a[2]), u = plus(a[1], a[3]);
    const C w = turned<Sign>(minus(a[1], a[3]));
    a[0] = plus(s, u);
    a[2] = minus(s, u);
    a[1] = plus(d, w);
    a[3] = minus(d, w);
  } else if constexpr (R == 5) {
    constexpr Real c1 = roots<Real, 5>.cosine[1], c2 = roots<Real, 5>.cosine[2], s1 = roots<Real, 5>.sine[1],
                   s2 = roots<Real, 5>.sine[2];
    const C p = plus(a[1], a[4]), q = plus(a[2], a[3]);
    const C u = turned<Sign>(minus(a[1], a[4])), v = turned<Sign>(minus(a[2], a[3]));
    const C m = C{a[0].x + c1 * p.x + c2 * q.x, a[0].y + c1 * p.y + c2 * q.y};
    const C n = C{a[0].x + c2 * p.x + c1 * q.x, a[0].y + c2 * p.y + c1 * q.y};
    const C w = C{s1 * u.x + s2 * v.x, s1 * u.y + s2 * v.y};
    const C z = C{s2 * u.x - s1 * v.x, s2 * u.y - s1 * v.y};
    a[0] = C{a[0].x + p.x + q.x, a[0].y + p.y + q.y};
    a[1] = plus(m, w);
    a[4] = minus(m, w);
    a[2] = plus(n, z);
    a[3] = minus(n, z);
  } else if constexpr (R == 7) {
    C sum[4] = {a[0]}, difference[4];
#pragma unroll
    for (int j = 1; j < 4; ++j) {
      sum[j] = plus(a[j], a[7 - j]);
      difference[j] = turned<Sign>(minus(a[j], a[7 - j]));
    }
    a[0] = plus(plus(sum[0], sum[1]), plus(sum[2], sum[3]));
#pragma unroll
    for (int k = 1; k < 4; ++k) {
      C even = sum[0], odd = C{0, 0};
#pragma unroll
      for (int j = 1; j < 4; ++j) {
        const Real c = roots<Real, 7>.cosine[j * k % 7], s = roots<Real, 7>.sine[j * k % 7];
        even = C{even.x + c * sum[j].x, even.y + c * sum[j].y};
        odd = C{odd.x + s * difference[j].x, odd.y + s * difference[j].y};
      }
      a[k] = plus(even, odd);
      a[7 - k] = minus(even, odd);
    }
  } else {
    constexpr int A = R % 4 == 0   ? 4
                      : R % 2 == 0 ? 2
                      : R % 3 == 0 ? 3
                      : R % 5 == 0 ? 5
                                   : 7,
                  B = R / A;  // n = B i + j, k = k1 + A k2
    static_assert(A * B == R);
    C part[B][A];
#pragma unroll
    for (int j = 0; j < B; ++j) {
      C q[A];
#pragma unroll
      for (int i = 0; i < A; ++i) q[i] = a[B * i + j];
      transform<A, Sign>(q);
#pragma unroll
      for (int k = 0; k < A; ++k)
        part[j][k] = j * k == 0
                         ? q[k]
                         : times(q[k], C{roots<Real, R>.cosine[j * k], Sign * roots<Real, R>.sine[j * k]});
    }
#pragma unroll
    for (int k = 0; k < A; ++k) {
      C q[B];
#pragma unroll
      for (int j = 0; j < B; ++j) q[j] = part[j][k];
      transform<B, Sign>(q);
#pragma unroll
      for (int j = 0; j < B; ++j) a[k + A * j] = q[j];
    }
  }
}

// Multiplies q[k] by e^{Sign 2 pi i at k / L}. turn: e^{-2 pi i n / L}. A long row of roots is made
// of products of two: Step of them are loaded, and every Step-th. Loading all, scattered over the
// table, would take longer than the transform.
template <int R, int Sign, int Step, class C>
__device__ __forceinline__ void twiddle(C (&q)[R], int at, const C* __restrict__ turn) {
  C low[Step];
#pragma unroll
  for (int k = 1; k < Step; ++k) low[k] = turn[at * k];
#pragma unroll
  for (int high = 0; high < R; high += Step) {
    const C first = high > 0 ? turn[at * high] : C{1, 0};
#pragma unroll
    for (int k = 0; k < Step; ++k) {
      if (high + k == 0 || high + k >= R) continue;
      C w = k == 0 ? first : high == 0 ? low[k] : times(first, low[k]);
      if (Sign > 0) w.y = -w.y;
      q[high + k] = times(q[high + k], w);
    }
  }
}

// Divides a line of A B C points among threads, and lines among blocks. With few values a thread,
// registers suffice for many warps, and some warps load while others compute. Along x, two factors
// of 48 in float took 85 us, factors 16, 12 and 12 take 46 us (crop of two images to 1826^2 pixels,
// H100). A thread takes transforms t, t + Threads, ... of each factor. Input element n = g + B C i,
// i < A, g = s + C j, j < B; output element k = a + A (b + B c).
template <int Lines, int Threads, int A, int B, int C>
struct ThreeFactors {
  static constexpr int length = A * B * C, threads = Threads, lines = Lines;
  static constexpr int rounds(int factor) { return (length / factor + threads - 1) / threads; }
  static constexpr int values = rounds(A) * A > rounds(B) * B ? rounds(A) * A : rounds(B) * B;
  // Rows of the two exchanges are one element longer than needed, so that columns lie in different
  // banks.
  static constexpr int firstRow = B * C + 1, secondRow = A * B + 1;
  static constexpr int room = A * firstRow > C* secondRow ? A* firstRow : C* secondRow;

  // The reverse transform: its input slots match the output slots of this one.
  using Reversed = ThreeFactors<Lines, Threads, C, B, A>;

  // f(slot, element, own): input a[slot] of thread t is `element`; own is false where t has no such
  // slot.
  template <class F>
  static __device__ __forceinline__ void forEachIn(int t, F&& f) {
    forEachRound<A>(t, [&](int round, int g, bool own) {
#pragma unroll
      for (int i = 0; i < A; ++i) f(round * A + i, g + B * C * i, own);
    });
  }
  // store(element, value, slot) receives the results. shared: [room], elements `stride` apart. All
  // threads of the block call it. Threads may still read `shared` when it returns: synchronise
  // before it is written again.
  template <int Sign, class Value, class Store>
  static __device__ __forceinline__ void transform(Value (&a)[values], int t, Value* shared, int stride,
                                                   const Value* __restrict__ turn, Store&& store) {
    forEachRound<A>(t, [&](int round, int g, bool own) {
      if (!own) return;
      Value q[A];
#pragma unroll
      for (int i = 0; i < A; ++i) q[i] = a[round * A + i];
      spokelab::gpu::transform<A, Sign>(q);
      twiddle<A, Sign, step(A)>(q, g, turn);
#pragma unroll
      for (int i = 0; i < A; ++i) shared[(i * firstRow + g) * stride] = q[i];
    });
    __syncthreads();
    forEachRound<B>(t, [&](int round, int g, bool own) {
      if (!own) return;
#pragma unroll
      for (int i = 0; i < B; ++i) a[round * B + i] = shared[(g / C * firstRow + g % C + C * i) * stride];
    });
    __syncthreads();
    forEachRound<B>(t, [&](int round, int g, bool own) {
      if (!own) return;
      Value q[B];
#pragma unroll
      for (int i = 0; i < B; ++i) q[i] = a[round * B + i];
      spokelab::gpu::transform<B, Sign>(q);
      twiddle<B, Sign, step(B)>(q, A * (g % C), turn);
#pragma unroll
      for (int i = 0; i < B; ++i) shared[(g % C * secondRow + g / C + A * i) * stride] = q[i];
    });
    __syncthreads();
    forEachRound<C>(t, [&](int round, int g, bool own) {
      if (!own) return;
      Value q[C];
#pragma unroll
      for (int i = 0; i < C; ++i) q[i] = shared[(i * secondRow + g) * stride];
      spokelab::gpu::transform<C, Sign>(q);
#pragma unroll
      for (int i = 0; i < C; ++i) store(g + A * B * i, q[i], round * C + i);
    });
  }

 private:
  static constexpr int step(int factor) {
    return factor > 16 ? 6 : factor > 8 ? 4 : factor;
  }
  // f(round, transform, whether there is such a one).
  template <int Factor, class F>
  static __device__ __forceinline__ void forEachRound(int t, F&& f) {
    constexpr int count = length / Factor;
#pragma unroll
    for (int round = 0; round < rounds(Factor); ++round) {
      const int g = t + threads * round;
      f(round, g, count % threads == 0 || g < count);
    }
  }
};

}  // namespace spokelab::gpu
