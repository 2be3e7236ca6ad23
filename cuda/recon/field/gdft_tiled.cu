#include "cuda/recon/field/gdft_tiled.h"

#include "cuda/device/check.h"
#include "cuda/device/complex.cuh"
#include "cuda/recon/field/gdft_math.cuh"
#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {
namespace {

constexpr int forwardThreads = 256, adjointThreads = 256;
// Pixels of a row that continue one fixed-point phase: float steps from the run's middle, so that a
// longer run would lose accuracy.
constexpr int run = 32;
// Forward: runs of a tile, 512 pixels that take 8 KB of shared memory, 16 KB with B.
constexpr int tileRuns = 16;
// Adjoint: samples of a tile, which take 12 KB with the phases of each warp, 14 KB with B.
constexpr int tileSamples = 128;
constexpr int unroll = 8;

// A thread owns R samples.
template <GdftForm form, bool volume, int R>
__global__ void __launch_bounds__(forwardThreads)
    forwardGrid(GdftSampleArrays s, GdftPixelArrays p, const float2* __restrict__ image, GdftTarget out,
                int tilesPerBlock) {
  constexpr int tile = tileRuns * run;
  constexpr bool modulated = isModulated(form);
  __shared__ float4 pixel[tile];  // field high, low; value
  __shared__ float4 gradient[modulated ? tile : 1];
  constexpr bool bent = isBent(form);
  __shared__ float4 bend[bent ? tile : 1], bendLow[bent ? tile : 1];
  const int runsPerRow = (p.nx + run - 1) / run, runs = runsPerRow * p.ny * p.nz;
  uint4 step[R];
  float stepRadians[R], re[R], im[R];
  float2 t[R];
  float3 voxel[modulated ? R : 1];
  float4 ownBend[bent ? R : 1], ownBendLow[bent ? R : 1];
#pragma unroll
  for (int i = 0; i < R; ++i) {
    const std::int64_t j =
        min(std::int64_t(blockIdx.x) * forwardThreads * R + i * forwardThreads + threadIdx.x, s.count - 1);
    step[i] = s.step[j];
    t[i] = s.time[j];
    stepRadians[i] = radians(step[i].x);
    if constexpr (modulated) voxel[i] = voxelOf(s, p, j);
    if constexpr (bent) {
      ownBend[i] = s.bend[j];
      ownBendLow[i] = s.bendLow[j];
    }
    re[i] = im[i] = 0;
  }
  for (int k = 0; k < tilesPerBlock; ++k) {
    const int firstRun = (partOf(out) * tilesPerBlock + k) * tileRuns;
    if (firstRun >= runs) break;
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += forwardThreads) {
      const int g = firstRun + i / run, row = g / runsPerRow, x = g % runsPerRow * run + i % run;
      const bool inside = g < runs && x < p.nx;
      const std::int64_t at = std::int64_t(row) * p.nx + x;
      const float2 f = inside ? p.field[at] : make_float2(0, 0);
      float2 m = inside ? image[at] : make_float2(0, 0);
      if (timesAreCentred(form) && inside) m = times(m, p.turn[at]);
      pixel[i] = make_float4(f.x, f.y, m.x, m.y);
      if constexpr (modulated) gradient[i] = inside ? p.gradient[at] : make_float4(0, 0, 0, 0);
      if constexpr (bent) {
        bend[i] = inside ? p.bend[at] : make_float4(0, 0, 0, 0);
        bendLow[i] = inside ? p.bendLow[at] : make_float4(0, 0, 0, 0);
      }
    }
    __syncthreads();
    float tileRe[R], tileIm[R];
#pragma unroll
    for (int i = 0; i < R; ++i) tileRe[i] = tileIm[i] = 0;
    for (int g = 0; g < tileRuns && firstRun + g < runs; ++g) {
      const int row = (firstRun + g) / runsPerRow;
      const unsigned x = unsigned((firstRun + g) % runsPerRow * run + run / 2 - p.nx / 2);
      const unsigned y = unsigned(row % p.ny - p.ny / 2), z = unsigned(row / p.ny - p.nz / 2);
      float base[R];
#pragma unroll
      for (int i = 0; i < R; ++i)
        base[i] = radians(step[i].x * x + step[i].y * y + step[i].z * z) - float(run / 2) * stepRadians[i];
#pragma unroll 1
      for (int q0 = 0; q0 < run; q0 += unroll) {
#pragma unroll
        for (int q = 0; q < unroll; ++q) {
          const float4 v = pixel[g * run + q0 + q];
#pragma unroll
          for (int i = 0; i < R; ++i) {
            float phase =
                addField<form>(make_float2(v.x, v.y), t[i], fmaf(stepRadians[i], float(q), base[i]));
            if constexpr (bent)
              phase +=
                  bentPhase(ownBend[i], ownBendLow[i], bend[g * run + q0 + q], bendLow[g * run + q0 + q]);
            float sine, cosine;
            __sincosf(phase, &sine, &cosine);
            if constexpr (modulated) {
              const float factor = modulation<form, volume>(voxel[i], gradient[g * run + q0 + q], t[i].x);
              sine *= factor;
              cosine *= factor;
            }
            tileRe[i] = fmaf(v.w, sine, fmaf(v.z, cosine, tileRe[i]));
            tileIm[i] = fmaf(-v.z, sine, fmaf(v.w, cosine, tileIm[i]));
          }
        }
#pragma unroll
        for (int i = 0; i < R; ++i) base[i] = fmaf(float(unroll), stepRadians[i], base[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < R; ++i) {
      re[i] += tileRe[i];
      im[i] += tileIm[i];
    }
  }
#pragma unroll
  for (int i = 0; i < R; ++i) {
    const std::int64_t j = std::int64_t(blockIdx.x) * forwardThreads * R + i * forwardThreads + threadIdx.x;
    if (j < s.count) addTo(out, j, re[i], im[i]);
  }
}

// A warp owns 32 R pixels of a row that follow each other.
template <GdftForm form, bool volume, int R>
__global__ void __launch_bounds__(adjointThreads)
    adjointGrid(GdftSampleArrays s, GdftPixelArrays p, const float2* __restrict__ samples, GdftTarget out,
                int samplesPerBlock) {
  constexpr int warps = adjointThreads / 32, width = 32 * R;
  constexpr bool modulated = isModulated(form);
  __shared__ float4 value[tileSamples];  // t high, low; value
  __shared__ uint4 step[tileSamples];
  // Phase at the middle of the warp's pixels, and its step, in radians.
  __shared__ float2 phase0[warps][tileSamples];
  __shared__ float4 voxel[modulated ? tileSamples : 1];
  constexpr bool bent = isBent(form);
  __shared__ float4 bend[bent ? tileSamples : 1], bendLow[bent ? tileSamples : 1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int widthsPerRow = (p.nx + width - 1) / width;
  const int unit = blockIdx.x * warps + warp, units = widthsPerRow * p.ny * p.nz;
  const int row = min(unit, units - 1) / widthsPerRow, first = min(unit, units - 1) % widthsPerRow * width;
  const unsigned x = unsigned(first + width / 2 - p.nx / 2);
  const unsigned y = unsigned(row % p.ny - p.ny / 2), z = unsigned(row / p.ny - p.nz / 2);
  float2 f[R];
  float4 gradient[modulated ? R : 1];
  float4 ownBend[bent ? R : 1], ownBendLow[bent ? R : 1];
  float re[R], im[R];
#pragma unroll
  for (int i = 0; i < R; ++i) {
    const int px = min(first + i * 32 + lane, p.nx - 1);
    const std::int64_t at = std::int64_t(row) * p.nx + px;
    f[i] = p.field[at];
    if constexpr (modulated) gradient[i] = p.gradient[at];
    if constexpr (bent) {
      ownBend[i] = p.bend[at];
      ownBendLow[i] = p.bendLow[at];
    }
    re[i] = im[i] = 0;
  }
  const std::int64_t begin = std::int64_t(partOf(out)) * samplesPerBlock;
  const std::int64_t end = min(begin + samplesPerBlock, s.count);
  for (std::int64_t j0 = begin; j0 < end; j0 += tileSamples) {
    __syncthreads();
    for (int i = threadIdx.x; i < tileSamples; i += adjointThreads) {
      const bool inside = j0 + i < end;
      const std::int64_t j = inside ? j0 + i : j0;
      const float2 t = s.time[j], d = inside ? samples[j] : make_float2(0, 0);
      value[i] = make_float4(t.x, t.y, d.x, d.y);
      step[i] = s.step[j];
      if constexpr (bent) {
        bend[i] = s.bend[j];
        bendLow[i] = s.bendLow[j];
      }
      if constexpr (modulated) {
        const float3 v = voxelOf(s, p, j);
        voxel[i] = make_float4(v.x, v.y, v.z, 0);
      }
    }
    __syncthreads();
    for (int i = lane; i < tileSamples; i += 32) {
      const uint4 u = step[i];
      phase0[warp][i] = make_float2(radians(u.x * x + u.y * y + u.z * z), radians(u.x));
    }
    __syncwarp();
    float tileRe[R], tileIm[R];
#pragma unroll
    for (int i = 0; i < R; ++i) tileRe[i] = tileIm[i] = 0;
#pragma unroll 4
    for (int j = 0; j < tileSamples; ++j) {
      const float4 v = value[j];
      const float2 b = phase0[warp][j];
#pragma unroll
      for (int i = 0; i < R; ++i) {
        const float place = float(lane + i * 32 - width / 2);
        float phase = addField<form>(f[i], make_float2(v.x, v.y), fmaf(b.y, place, b.x));
        if constexpr (bent) phase += bentPhase(ownBend[i], ownBendLow[i], bend[j], bendLow[j]);
        float sine, cosine;
        __sincosf(phase, &sine, &cosine);
        if constexpr (modulated) {
          const float4 w = voxel[j];
          const float factor = modulation<form, volume>(make_float3(w.x, w.y, w.z), gradient[i], v.x);
          sine *= factor;
          cosine *= factor;
        }
        tileRe[i] = fmaf(-v.w, sine, fmaf(v.z, cosine, tileRe[i]));
        tileIm[i] = fmaf(v.z, sine, fmaf(v.w, cosine, tileIm[i]));
      }
    }
#pragma unroll
    for (int i = 0; i < R; ++i) {
      re[i] += tileRe[i];
      im[i] += tileIm[i];
    }
  }
#pragma unroll
  for (int i = 0; i < R; ++i) {
    const int px = first + i * 32 + lane;
    if (unit >= units || px >= p.nx) continue;
    const std::int64_t at = std::int64_t(row) * p.nx + px;
    float2 sum = make_float2(re[i], im[i]);
    if constexpr (timesAreCentred(form)) sum = times(sum, make_float2(p.turn[at].x, -p.turn[at].y));
    addTo(out, at, sum.x, sum.y);
  }
}

template <GdftForm form, bool volume>
void forwardOn(const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in, GdftSums& out,
               cudaStream_t stream) {
  constexpr int tile = tileRuns * run;
  const std::int64_t inputs = std::int64_t((p.nx + run - 1) / run) * run * p.ny * p.nz;
  const auto launch = [&]<int R>() {
    const std::int64_t outputs = forwardThreads * R, blocks = (s.count + outputs - 1) / outputs;
    const std::int64_t length = partLength(inputs, tile, blocks);
    out.add(partsOf(inputs, length), stream, [&](const GdftTarget& to, unsigned rows) {
      forwardGrid<form, volume, R>
          <<<dim3(unsigned(blocks), rows), forwardThreads, 0, stream>>>(s, p, in, to, int(length / tile));
    });
  };
  // A thread with four samples reads pixels from shared memory half as often as with two; with B
  // registers run out.
  constexpr std::int64_t minSamplesForFour = 1 << 15;
  if constexpr (!isModulated(form) && !isBent(form)) {
    if (s.count >= minSamplesForFour) return launch.template operator()<4>();
  }
  launch.template operator()<2>();
}

template <GdftForm form, bool volume>
void adjointOn(const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in, GdftSums& out,
               cudaStream_t stream) {
  constexpr int warps = adjointThreads / 32;
  // Two pixels a thread, except where that would leave many threads beyond the rows' ends.
  const auto padded = [&](int width) { return (p.nx + width - 1) / width * width; };
  const bool two = padded(64) * 4 <= padded(32) * 5;
  const std::int64_t units = std::int64_t(padded(two ? 64 : 32) / (two ? 64 : 32)) * p.ny * p.nz;
  const std::int64_t blocks = (units + warps - 1) / warps;
  const std::int64_t length = partLength(s.count, tileSamples, blocks);
  const auto kernel = two ? adjointGrid<form, volume, 2> : adjointGrid<form, volume, 1>;
  out.add(partsOf(s.count, length), stream, [&](const GdftTarget& to, unsigned rows) {
    kernel<<<dim3(unsigned(blocks), rows), adjointThreads, 0, stream>>>(s, p, in, to, int(length));
  });
}

template <class F>
void dispatchForm(GdftForm form, bool volume, const F& f) {
  const auto at = [&]<GdftForm which>() {
    if (volume)
      f.template operator()<which, true>();
    else
      f.template operator()<which, false>();
  };
  switch (form) {
    case GdftForm::narrow:
      return f.template operator()<GdftForm::narrow, true>();
    case GdftForm::high:
      return f.template operator()<GdftForm::high, true>();
    case GdftForm::middle:
      return f.template operator()<GdftForm::middle, true>();
    case GdftForm::wide:
      return f.template operator()<GdftForm::wide, true>();
    case GdftForm::sinc1:
      return at.template operator()<GdftForm::sinc1>();
    case GdftForm::sinc2:
      return at.template operator()<GdftForm::sinc2>();
    case GdftForm::sincAny:
      return f.template operator()<GdftForm::sincAny, true>();
    case GdftForm::bent:
      return f.template operator()<GdftForm::bent, true>();
    case GdftForm::bentSinc:
      return f.template operator()<GdftForm::bentSinc, true>();
  }
}

}  // namespace

void launchTiledForward(GdftForm form, const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in,
                        GdftSums& out, cudaStream_t stream) {
  dispatchForm(form, p.nz > 1,
               [&]<GdftForm which, bool volume>() { forwardOn<which, volume>(s, p, in, out, stream); });
  checkLaunch("summing a field-corrected transform");
}

void launchTiledAdjoint(GdftForm form, const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in,
                        GdftSums& out, cudaStream_t stream) {
  dispatchForm(form, p.nz > 1,
               [&]<GdftForm which, bool volume>() { adjointOn<which, volume>(s, p, in, out, stream); });
  checkLaunch("summing a field-corrected transform");
}

}  // namespace spokelab::gpu
