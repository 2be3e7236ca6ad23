#include "cuda/recon/field/gdft_shared_times.h"

#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/recon/field/gdft_math.cuh"
#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {
namespace {

constexpr int threads = 128;
constexpr int run = 64;  // forward: pixels that one Horner sum covers
// Forward: runs of a tile, 512 pixels that take 8 KB of shared memory.
constexpr int tileRuns = 8;
constexpr int across = 16;    // adjoint: pixels of a row that a thread owns
constexpr int shotTile = 16;  // adjoint: shots in shared memory
// 40 for each multiprocessor of an H100 (132); gdft_parts.h gives the reason.
constexpr int wantedSharedBlocks = 132 * 40;
// Limits of a block's sums in float: tiles of runs in forward; shots and times in adjoint.
constexpr int maxTilesPerBlock = 32, maxShotsPerBlock = 128, maxTimesPerBlock = 128;

// A thread owns R shots at one time.
template <int R>
__global__ void __launch_bounds__(threads)
    hornerForward(GdftSampleArrays s, GdftPixelArrays p, const float2* __restrict__ image, GdftTarget out,
                  int tilesPerBlock) {
  constexpr int tile = tileRuns * run;
  __shared__ float4 pixel[tile];
  const int times = int(s.count / s.shots), timeBlocks = (times + threads - 1) / threads;
  const int n = int(blockIdx.x % timeBlocks) * threads + threadIdx.x,
            firstShot = int(blockIdx.x / timeBlocks) * R;
  const int runsPerRow = (p.nx + run - 1) / run, runs = runsPerRow * p.ny * p.nz;
  const float2 t = s.time[min(n, times - 1)];
  uint4 step[R];
  float wRe[R], wIm[R], re[R], im[R];
#pragma unroll
  for (int i = 0; i < R; ++i) {
    step[i] = s.step[std::int64_t(min(firstShot + i, int(s.shots) - 1)) * times + min(n, times - 1)];
    sincospif(2 * float(int(step[i].x)) * 2.3283064365386963e-10F, &wIm[i], &wRe[i]);
    re[i] = im[i] = 0;
  }
  for (int k = 0; k < tilesPerBlock; ++k) {
    const int firstRun = (partOf(out) * tilesPerBlock + k) * tileRuns;
    if (firstRun >= runs) break;
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += threads) {
      const int g = firstRun + i / run, row = g / runsPerRow, x = g % runsPerRow * run + i % run;
      const bool inside = g < runs && x < p.nx;
      const std::int64_t at = std::int64_t(row) * p.nx + x;
      const float2 f = inside ? p.field[at] : make_float2(0, 0), m = inside ? image[at] : make_float2(0, 0);
      pixel[i] = make_float4(f.x, f.y, m.x, m.y);
    }
    __syncthreads();
    for (int g = 0; g < tileRuns && firstRun + g < runs; ++g) {
      float hRe[R], hIm[R];
#pragma unroll
      for (int i = 0; i < R; ++i) hRe[i] = hIm[i] = 0;
#pragma unroll 2
      for (int q = run - 1; q >= 0; --q) {
        const float4 v = pixel[g * run + q];
        float sine, cosine;
        __sincosf(addField<GdftForm::wide>(make_float2(v.x, v.y), t, 0), &sine, &cosine);
        const float a = fmaf(v.w, sine, v.z * cosine), b = fmaf(-v.z, sine, v.w * cosine);
#pragma unroll
        for (int i = 0; i < R; ++i) {
          const float next = fmaf(hRe[i], wRe[i], fmaf(hIm[i], wIm[i], a));
          hIm[i] = fmaf(hIm[i], wRe[i], fmaf(-hRe[i], wIm[i], b));
          hRe[i] = next;
        }
      }
      const int row = (firstRun + g) / runsPerRow;
      const unsigned x = unsigned((firstRun + g) % runsPerRow * run - p.nx / 2);
      const unsigned y = unsigned(row % p.ny - p.ny / 2), z = unsigned(row / p.ny - p.nz / 2);
#pragma unroll
      for (int i = 0; i < R; ++i) {
        float sine, cosine;
        __sincosf(radians(step[i].x * x + step[i].y * y + step[i].z * z), &sine, &cosine);
        re[i] += fmaf(hIm[i], sine, hRe[i] * cosine);
        im[i] += fmaf(-hRe[i], sine, hIm[i] * cosine);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < R; ++i)
    if (n < times && firstShot + i < s.shots)
      addTo(out, std::int64_t(firstShot + i) * times + n, re[i], im[i]);
}

// A thread owns `across` pixels of a row.
__global__ void __launch_bounds__(threads)
    powersAdjoint(GdftSampleArrays s, GdftPixelArrays p, const float2* __restrict__ samples, GdftTarget out,
                  int timeParts, int timesPerBlock, int shotsPerBlock) {
  __shared__ float2 field[across][threads];
  __shared__ float4 power[shotTile][across / 2];  // w^i, w^{i+1}
  __shared__ uint4 step[shotTile];
  __shared__ float2 value[shotTile];
  const int times = int(s.count / s.shots), blocksPerRow = (p.nx + across - 1) / across;
  const int unit = blockIdx.x * threads + threadIdx.x, units = blocksPerRow * p.ny * p.nz;
  const int own = min(unit, units - 1), row = own / blocksPerRow, first = own % blocksPerRow * across;
  const unsigned x = unsigned(first - p.nx / 2);
  const unsigned y = unsigned(row % p.ny - p.ny / 2), z = unsigned(row / p.ny - p.nz / 2);
  float re[across], im[across];
#pragma unroll
  for (int i = 0; i < across; ++i) {
    field[i][threadIdx.x] = p.field[std::int64_t(row) * p.nx + min(first + i, p.nx - 1)];
    re[i] = im[i] = 0;
  }
  const int part = partOf(out);
  const int begin = part % timeParts * timesPerBlock, end = min(begin + timesPerBlock, times);
  const int firstShot = part / timeParts * shotsPerBlock,
            endShot = min(firstShot + shotsPerBlock, int(s.shots));
  for (int n = begin; n < end; ++n) {
    const float2 t = s.time[n];
    float sumRe[across], sumIm[across];
#pragma unroll
    for (int i = 0; i < across; ++i) sumRe[i] = sumIm[i] = 0;
    for (int shot0 = firstShot; shot0 < endShot; shot0 += shotTile) {
      const int shots = min(shotTile, endShot - shot0);
      __syncthreads();
      for (int i = threadIdx.x; i < shots * across; i += threads) {
        const int shot = i / across, e = i % across;
        const std::int64_t j = std::int64_t(shot0 + shot) * times + n;
        const uint4 u = s.step[j];
        float sine, cosine;
        __sincosf(radians(u.x * unsigned(e)), &sine, &cosine);
        reinterpret_cast<float2*>(power[shot])[e] = make_float2(cosine, sine);
        if (e == 0) {
          step[shot] = u;
          value[shot] = samples[j];
        }
      }
      __syncthreads();
      for (int shot = 0; shot < shots; ++shot) {
        const uint4 u = step[shot];
        const float2 d = value[shot];
        float sine, cosine;
        __sincosf(radians(u.x * x + u.y * y + u.z * z), &sine, &cosine);
        const float a = fmaf(-d.y, sine, d.x * cosine), b = fmaf(d.x, sine, d.y * cosine);
#pragma unroll
        for (int i = 0; i < across; i += 2) {
          const float4 w = power[shot][i / 2];
          sumRe[i] = fmaf(-b, w.y, fmaf(a, w.x, sumRe[i]));
          sumIm[i] = fmaf(a, w.y, fmaf(b, w.x, sumIm[i]));
          sumRe[i + 1] = fmaf(-b, w.w, fmaf(a, w.z, sumRe[i + 1]));
          sumIm[i + 1] = fmaf(a, w.w, fmaf(b, w.z, sumIm[i + 1]));
        }
      }
    }
#pragma unroll
    for (int i = 0; i < across; ++i) {
      float sine, cosine;
      __sincosf(addField<GdftForm::wide>(field[i][threadIdx.x], t, 0), &sine, &cosine);
      re[i] = fmaf(-sumIm[i], sine, fmaf(sumRe[i], cosine, re[i]));
      im[i] = fmaf(sumRe[i], sine, fmaf(sumIm[i], cosine, im[i]));
    }
  }
#pragma unroll
  for (int i = 0; i < across; ++i)
    if (unit < units && first + i < p.nx) addTo(out, std::int64_t(row) * p.nx + first + i, re[i], im[i]);
}

template <int R>
void forwardOn(const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in, GdftSums& out,
               cudaStream_t stream) {
  const std::int64_t times = s.count / s.shots;
  const std::int64_t blocks = (times + threads - 1) / threads * ((s.shots + R - 1) / R);
  const std::int64_t tiles = (std::int64_t((p.nx + run - 1) / run) * p.ny * p.nz + tileRuns - 1) / tileRuns;
  const std::int64_t parts = partsFor(tiles, blocks, wantedSharedBlocks, maxTilesPerBlock);
  const std::int64_t length = (tiles + parts - 1) / parts;
  out.add(partsOf(tiles, length), stream, [&](const GdftTarget& to, unsigned rows) {
    hornerForward<R><<<dim3(unsigned(blocks), rows), threads, 0, stream>>>(s, p, in, to, int(length));
  });
}

}  // namespace

void launchSharedForward(const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in, GdftSums& out,
                         cudaStream_t stream) {
  constexpr int minShotsForSixteen = 12;
  if (s.shots >= minShotsForSixteen)
    forwardOn<16>(s, p, in, out, stream);
  else
    forwardOn<8>(s, p, in, out, stream);
  checkLaunch("summing a field-corrected transform");
}

void launchSharedAdjoint(const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in, GdftSums& out,
                         cudaStream_t stream) {
  const std::int64_t units = std::int64_t((p.nx + across - 1) / across) * p.ny * p.nz;
  const std::int64_t blocks = (units + threads - 1) / threads, times = s.count / s.shots;
  const std::int64_t shotParts = partsFor(s.shots, wantedSharedBlocks, wantedSharedBlocks, maxShotsPerBlock);
  const std::int64_t shotLength = (s.shots + shotParts - 1) / shotParts;
  const std::int64_t parts = partsFor(times, blocks * shotParts, wantedSharedBlocks, maxTimesPerBlock);
  const std::int64_t length = (times + parts - 1) / parts;
  const std::int64_t timeParts = partsOf(times, length), all = timeParts * partsOf(s.shots, shotLength);
  out.add(all, stream, [&](const GdftTarget& to, unsigned rows) {
    powersAdjoint<<<dim3(unsigned(blocks), rows), threads, 0, stream>>>(s, p, in, to, int(timeParts),
                                                                        int(length), int(shotLength));
  });
  checkLaunch("summing a field-corrected transform");
}

}  // namespace spokelab::gpu
