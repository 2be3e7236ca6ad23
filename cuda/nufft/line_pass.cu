#include "cuda/nufft/line_pass.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include "cuda/nufft/launch.h"
#include "cuda/nufft/line_fft.cuh"

namespace spokelab::gpu {
namespace {

constexpr int linesPerBlock = 16;  // consecutive lines of a strided axis: 128-byte accesses

// Pixel of element e, or -1 where there is none.
__device__ __forceinline__ int pixelOf(int e, int length, int pixels, int half) {
  if (e < pixels - half) return e + half;
  return e >= length - half ? e - (length - half) : -1;
}

__device__ __forceinline__ float2 swapped(float2 v, bool swap) {
  return swap ? make_float2(v.y, v.x) : v;
}

// Sum over the block, added to *energy by one thread.
__device__ __forceinline__ void addEnergy(double mine, double* energy) {
  __shared__ double share[32];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_xor_sync(~0u, mine, step);
  if (threadIdx.x % 32 == 0) share[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double sum = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += share[w];
  if (sum > 0) atomicAdd(energy, sum);
}

// AlongX: the line lies along x, threads run along it; otherwise threads run across lines.
template <int P, int Q, LinePass pass, bool AlongX>
__global__ void __launch_bounds__(linesPerBlock*(P > Q ? P : Q))
    linePass(const float2* in, float2* out, const float* __restrict__ transfer,
             const float2* __restrict__ turn, const __grid_constant__ Lines lines,
             const __grid_constant__ LineFactors factors) {
  constexpr int T = P > Q ? P : Q, length = P * Q;
  extern __shared__ float2 exchange[];
  const int t = AlongX ? int(threadIdx.x) % T : int(threadIdx.x) / linesPerBlock;
  const int l = AlongX ? int(threadIdx.x) / T : int(threadIdx.x) % linesPerBlock;
  const std::int64_t line = std::int64_t(blockIdx.x) * linesPerBlock + l;
  const bool exists = line < lines.count;
  const std::int64_t outer = exists ? line / lines.inner : 0, inner = exists ? line % lines.inner : 0;
  const float2* from = in + blockIdx.y * lines.in.batch + outer * lines.in.step + inner * lines.in.skip;
  float2* to = out + blockIdx.y * lines.out.batch + outer * lines.out.step + inner * lines.out.skip;
  float2* shared = exchange + (AlongX ? l * exchangeLength(P, Q) : l);
  constexpr int stride = AlongX ? 1 : linesPerBlock;
  // Only lines along x are first or last, and have factors.
  const bool weighted = AlongX && factors.x != nullptr;
  const float yz = weighted ? factors.y[inner] * factors.z[outer] : 1.f;

  float2 a[T];
  bool finite = true;
  double energy = 0;
#pragma unroll
  for (int i = 0; i < P; ++i) {
    const int e = t + Q * i, at = pass == LinePass::crop ? e : pixelOf(e, length, lines.pixels, lines.half);
    const bool read = exists && t < Q && at >= 0;
    float2 v = read ? swapped(from[at * lines.in.stride], lines.swapIn) : make_float2(0.f, 0.f);
    if (pass == LinePass::pad && AlongX) {
      if (weighted && read) {
        const float w = factors.x[at] * yz;
        v = make_float2(v.x * w, v.y * w);
      }
      finite = finite && isfinite(v.x) && isfinite(v.y);
      if (factors.energy) energy += double(v.x) * v.x + double(v.y) * v.y;
    }
    a[i] = v;
  }
  if (pass == LinePass::pad && AlongX) {
    if (!finite && factors.notFinite) *factors.notFinite = 1;
    if (factors.energy) addEnergy(energy, factors.energy);
  }
  lineTransform<P, Q, pass == LinePass::crop ? 1 : -1>(a, t, shared, stride, turn);
  if constexpr (pass == LinePass::fused) {
    if (exists && t < P) {
#pragma unroll
      for (int m = 0; m < Q; ++m) {
        const float f = transfer[std::int64_t(t + P * m) * lines.inner + inner];
        a[m] = make_float2(a[m].x * f, a[m].y * f);
      }
    }
    __syncthreads();
    lineTransform<Q, P, 1>(a, t, shared, stride, turn);  // back: thread t < Q holds elements t + Q i
#pragma unroll
    for (int i = 0; i < P; ++i) {
      const int at = pixelOf(t + Q * i, length, lines.pixels, lines.half);
      if (exists && t < Q && at >= 0) to[at * lines.out.stride] = a[i];
    }
  } else {
#pragma unroll
    for (int m = 0; m < Q; ++m) {
      const int e = t + P * m, at = pass == LinePass::pad ? e : pixelOf(e, length, lines.pixels, lines.half);
      if (!exists || t >= P || at < 0) continue;
      float2 v = swapped(a[m], lines.swapOut);
      if (pass == LinePass::crop && AlongX) {
        if (weighted) {
          const float w = factors.x[at] * yz;
          v = make_float2(v.x * w, v.y * w);
        }
        if (factors.notFinite && !(isfinite(v.x) && isfinite(v.y))) *factors.notFinite = 1;
      }
      to[at * lines.out.stride] = v;
    }
  }
}

// Calls run.template operator()<P, Q>() for a length that exists.
template <class Run>
void withFactors(int length, Run&& run) {
  switch (length) {
    case 64:
      return run.template operator()<8, 8>();
    case 96:
      return run.template operator()<8, 12>();
    case 128:
      return run.template operator()<8, 16>();
    case 144:
      return run.template operator()<12, 12>();
    case 160:
      return run.template operator()<10, 16>();
    case 180:
      return run.template operator()<12, 15>();
    case 192:
      return run.template operator()<12, 16>();
    case 216:
      return run.template operator()<12, 18>();
    case 240:
      return run.template operator()<15, 16>();
    case 256:
      return run.template operator()<16, 16>();
    case 288:
      return run.template operator()<16, 18>();
    case 320:
      return run.template operator()<16, 20>();
    case 360:
      return run.template operator()<18, 20>();
    case 384:
      return run.template operator()<16, 24>();
    case 400:
      return run.template operator()<20, 20>();
    case 432:
      return run.template operator()<18, 24>();
    case 480:
      return run.template operator()<20, 24>();
    case 512:
      return run.template operator()<16, 32>();
  }
}

template <LinePass pass, bool AlongX>
void launch(int length, const float2* in, float2* out, const Lines& lines, std::int64_t batch,
            const float2* turn, const LineFactors& factors, const float* transfer, cudaStream_t stream) {
  withFactors(length, [&]<int P, int Q>() {
    const auto kernel = linePass<P, Q, pass, AlongX>;
    const std::size_t shared = std::size_t(linesPerBlock) * exchangeLength(P, Q) * sizeof(float2);
    allowShared(kernel, shared);
    const dim3 blocks(blocksFor(lines.count, linesPerBlock), unsigned(batch));
    kernel<<<blocks, linesPerBlock * std::max(P, Q), shared, stream>>>(in, out, transfer, turn, lines,
                                                                       factors);
    checkLaunch("transforming lines");
  });
}

}  // namespace

bool hasLinePass(int length) {
  return std::find(std::begin(passLengths), std::end(passLengths), length) != std::end(passLengths);
}

void launchLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                    std::int64_t batch, const float2* turn, const LineFactors& factors, const float* transfer,
                    cudaStream_t stream) {
  const auto call = pass == LinePass::fused ? launch<LinePass::fused, false>
                    : pass == LinePass::pad
                        ? (lines.alongX ? launch<LinePass::pad, true> : launch<LinePass::pad, false>)
                        : (lines.alongX ? launch<LinePass::crop, true> : launch<LinePass::crop, false>);
  call(length, in, out, lines, batch, turn, factors, transfer, stream);
}

DeviceBuffer<float2> lineTurns(const std::array<int, 3>& length, cudaStream_t stream) {
  std::vector<float2> turns;
  for (const int n : length)
    for (int i = 0; i < n; ++i) {
      const double angle = -2 * std::numbers::pi * i / n;
      turns.push_back(make_float2(float(std::cos(angle)), float(std::sin(angle))));
    }
  DeviceBuffer<float2> device;
  device.upload(turns.data(), std::int64_t(turns.size()), stream);
  check(cudaStreamSynchronize(stream), "preparing line transforms");
  return device;
}

}  // namespace spokelab::gpu
