// Transforms of single lines, for passes that cuFFT cannot fuse with their neighbours: L = P x Q
// points by P-point transforms in registers, twiddles, an exchange through shared memory, and
// Q-point transforms in registers. Unscaled; Sign of the exponent -1 or +1.
#pragma once

#include <cuda_runtime.h>

namespace spokelab::gpu {

// cos and sin of 2 pi i / R, at compile time.
template <int R>
struct Roots {
  float cosine[R], sine[R];
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
      cosine[i] = float(c);
      sine[i] = float(s);
    }
  }
};
template <int R>
__device__ constexpr Roots<R> roots{};

__device__ __forceinline__ float2 add(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ float2 subtract(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
__device__ __forceinline__ float2 product(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
// a * (sign i)
template <int Sign>
__device__ __forceinline__ float2 turned(float2 a) {
  return Sign < 0 ? make_float2(a.y, -a.x) : make_float2(-a.y, a.x);
}

// In-register transform of R = 2, 3, 4, 5, 7 or a product of them; natural order in and out.
template <int R, int Sign>
__device__ __forceinline__ void transform(float2 (&a)[R]) {
  if constexpr (R == 2) {
    const float2 t = a[0];
    a[0] = add(t, a[1]);
    a[1] = subtract(t, a[1]);
  } else if constexpr (R == 3) {
    constexpr float half = 0.5f, height = 0.86602540378443864676f;  // cos, sin of 60 degrees
    const float2 s = add(a[1], a[2]), d = turned<Sign>(subtract(a[1], a[2]));
    const float2 m = make_float2(a[0].x - half * s.x, a[0].y - half * s.y);
    a[0] = add(a[0], s);
    a[1] = make_float2(m.x + height * d.x, m.y + height * d.y);
    a[2] = make_float2(m.x - height * d.x, m.y - height * d.y);
  } else if constexpr (R == 4) {
    const float2 s = add(a[0], a[2]), d = subtract(a[0], a[2]), u = add(a[1], a[3]);
    const float2 w = turned<Sign>(subtract(a[1], a[3]));
    a[0] = add(s, u);
    a[2] = subtract(s, u);
    a[1] = add(d, w);
    a[3] = subtract(d, w);
  } else if constexpr (R == 5) {
    constexpr float c1 = roots<5>.cosine[1], c2 = roots<5>.cosine[2], s1 = roots<5>.sine[1],
                    s2 = roots<5>.sine[2];
    const float2 p = add(a[1], a[4]), q = add(a[2], a[3]);
    const float2 u = turned<Sign>(subtract(a[1], a[4])), v = turned<Sign>(subtract(a[2], a[3]));
    const float2 m = make_float2(a[0].x + c1 * p.x + c2 * q.x, a[0].y + c1 * p.y + c2 * q.y);
    const float2 n = make_float2(a[0].x + c2 * p.x + c1 * q.x, a[0].y + c2 * p.y + c1 * q.y);
    const float2 w = make_float2(s1 * u.x + s2 * v.x, s1 * u.y + s2 * v.y);
    const float2 z = make_float2(s2 * u.x - s1 * v.x, s2 * u.y - s1 * v.y);
    a[0] = make_float2(a[0].x + p.x + q.x, a[0].y + p.y + q.y);
    a[1] = add(m, w);
    a[4] = subtract(m, w);
    a[2] = add(n, z);
    a[3] = subtract(n, z);
  } else if constexpr (R == 7) {
    float2 sum[4] = {a[0]}, difference[4];
#pragma unroll
    for (int j = 1; j < 4; ++j) {
      sum[j] = add(a[j], a[7 - j]);
      difference[j] = turned<Sign>(subtract(a[j], a[7 - j]));
    }
    a[0] = add(add(sum[0], sum[1]), add(sum[2], sum[3]));
#pragma unroll
    for (int k = 1; k < 4; ++k) {
      float2 even = sum[0], odd = make_float2(0.f, 0.f);
#pragma unroll
      for (int j = 1; j < 4; ++j) {
        const float c = roots<7>.cosine[j * k % 7], s = roots<7>.sine[j * k % 7];
        even = make_float2(even.x + c * sum[j].x, even.y + c * sum[j].y);
        odd = make_float2(odd.x + s * difference[j].x, odd.y + s * difference[j].y);
      }
      a[k] = add(even, odd);
      a[7 - k] = subtract(even, odd);
    }
  } else {
    constexpr int A = R % 4 == 0   ? 4
                      : R % 2 == 0 ? 2
                      : R % 3 == 0 ? 3
                      : R % 5 == 0 ? 5
                                   : 7,
                  B = R / A;  // n = B i + j, k = k1 + A k2
    static_assert(A * B == R);
    float2 part[B][A];
#pragma unroll
    for (int j = 0; j < B; ++j) {
      float2 q[A];
#pragma unroll
      for (int i = 0; i < A; ++i) q[i] = a[B * i + j];
      transform<A, Sign>(q);
#pragma unroll
      for (int k = 0; k < A; ++k)
        part[j][k] = j * k == 0
                         ? q[k]
                         : product(q[k], make_float2(roots<R>.cosine[j * k], Sign * roots<R>.sine[j * k]));
    }
#pragma unroll
    for (int k = 0; k < A; ++k) {
      float2 q[B];
#pragma unroll
      for (int j = 0; j < B; ++j) q[j] = part[j][k];
      transform<B, Sign>(q);
#pragma unroll
      for (int j = 0; j < B; ++j) a[k + A * j] = q[j];
    }
  }
}

// Elements of one line's exchange; rows are one element longer than needed, so that columns lie in
// different banks.
constexpr int exchangeLength(int P, int Q) {
  return (P > Q ? P : Q) * ((P < Q ? P : Q) + 1) + 1;
}

// One line over max(P, Q) threads. In: thread t < Q holds elements t + Q i in a[i], i < P. Out:
// thread u < P holds elements u + P m in a[m], m < Q. turn: e^{-2 pi i n / L}, n < L. Element e of
// the exchange is shared[e * stride]. All threads of the block must call it (it synchronises).
template <int P, int Q, int Sign, int Room>
__device__ __forceinline__ void lineTransform(float2 (&a)[Room], int t, float2* shared, int stride,
                                              const float2* __restrict__ turn) {
  static_assert(Room >= P && Room >= Q);
  if (t < Q) {
    float2 q[P];
#pragma unroll
    for (int i = 0; i < P; ++i) q[i] = a[i];
    transform<P, Sign>(q);
    // A long row of roots is made of products of two roots: loading all of them, scattered over the
    // table, would take longer than the transform.
    constexpr int step = P > 16 ? 6 : P;
    float2 low[step];
#pragma unroll
    for (int k = 1; k < step; ++k) low[k] = turn[t * k];
#pragma unroll
    for (int high = 0; high < P; high += step) {
      const float2 first = high > 0 ? turn[t * high] : make_float2(1.f, 0.f);
#pragma unroll
      for (int k = 0; k < step; ++k) {
        if (high + k == 0 || high + k >= P) continue;
        float2 w = k == 0 ? first : high == 0 ? low[k] : product(first, low[k]);
        if (Sign > 0) w.y = -w.y;
        q[high + k] = product(q[high + k], w);
      }
    }
#pragma unroll
    for (int k = 0; k < P; ++k) a[k] = q[k];
  }
  __syncthreads();
  if (t < Q) {
#pragma unroll
    for (int k = 0; k < P; ++k) shared[(t * (P + 1) + k) * stride] = a[k];
  }
  __syncthreads();
  if (t < P) {
    float2 q[Q];
#pragma unroll
    for (int i = 0; i < Q; ++i) q[i] = shared[(i * (P + 1) + t) * stride];
    transform<Q, Sign>(q);
#pragma unroll
    for (int i = 0; i < Q; ++i) a[i] = q[i];
  }
}

}  // namespace spokelab::gpu
