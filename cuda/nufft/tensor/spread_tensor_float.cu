// Spreading on tensor cores in float: fp16 pairs, or three products of their heads and tails
// (tensor.h has the idea).
//
// One warp marches one task, its slabs in registers. Lanes past the end read the last point again,
// with a sample of zero. With g = lane / 4 and t = lane % 4, a lane holds
//   A (row y, k = point):  k_y k_z of rows g and g + 8 for its points t, t + 4, t + 8, t + 12
//   B (k = point, col x):  c k_x of cells g and g + 8, real and imaginary parts as four n-tiles
//   D:                     slab cells (y = g, g + 8; x = 2t, 2t + 1, + 8)
// Slabs are flushed by 16-byte reductions. Shuffles bring k_z: the eight lanes that share t
// evaluate the slabs of their points between them. In 2-D a warp takes up to four coils
// (tensorCoils): further n-tiles of B and D under the same A, so that all kernel values, their
// packing, and the shuffles serve them all.
#include "cuda/device/check.h"
#include "cuda/device/image_groups.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/tensor/spread_slabs.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

// W: ceil(width). Slabs: W in 3-D, 1 in 2-D. Half: one product of fp16 pairs, else three of heads
// and tails. Coils of a warp.
template <int W, int Slabs, bool Half, int Coils, int Terms>
__global__ void __launch_bounds__(32 * tensorWarps(Slabs))
    spreadTensor(const __grid_constant__ KernelSeries<Terms> phi, const float* __restrict__ points,
                 const std::uint32_t* __restrict__ order, const std::uint32_t* __restrict__ offsets,
                 const TensorTask* __restrict__ tasks, const int* __restrict__ taskCount, std::int64_t count,
                 const float2* __restrict__ samples, const __grid_constant__ SpreadShape shape,
                 const float* __restrict__ largest, float2* __restrict__ grid) {
  constexpr int U = spreadRotation(Slabs, Half);
  constexpr int K = 16;     // points a matrix product
  constexpr int P = K / 4;  // points a lane
  constexpr int Tiles = 4 * Coils;
  constexpr int Z = Half ? (2 * W + 7) / 8 : (P * W + 7) / 8;  // k_z evaluations a lane
  constexpr int Warps = tensorWarps(Slabs), Dims = Slabs > 1 ? 3 : 2;
  __shared__ alignas(16) PointRing<float, Dims, float2, Coils> rings[Warps];
  const int lane = threadIdx.x & 31, warp = Warps > 1 ? threadIdx.x >> 5 : 0, g = lane >> 2, t = lane & 3;
  const float rowV = float(g - 8) * phi.step, eightCells = 8.f * phi.step;
  const float scale = halfScale(largest), unscale = 1.f / (Half ? scale : scale * splitScale);
  samples += Coils * blockIdx.y * count;
  grid += Coils * blockIdx.y * shape.cells;
  Slab<Coils> slab[Slabs];
#pragma unroll
  for (int s = 0; s < Slabs; ++s) clear(slab[s]);

  const int taskEnd = *taskCount;
  for (int task = blockIdx.x * Warps + warp; task < taskEnd; task += gridDim.x * Warps) {
    const TensorTask T = tasks[task];
    const int originX = T.column % shape.columnsX * shape.blockX,
              originY = T.column / shape.columnsX * shape.blockY;
    const std::uint32_t* zOffsets = offsets + std::int64_t(T.column) * shape.z;
    PointFeed<float, Dims, float2, Coils> feed(&rings[warp], points, order, samples, count, T.begin, lane);
    int k = T.begin, nextEnd = int(zOffsets[T.zBegin + 1]);

    for (int zGroup = T.zBegin; zGroup < T.zEnd + Slabs - 1; zGroup += U) {
#pragma unroll
      for (int r = 0; r < U; ++r) {
        const int z = zGroup + r;
        const int end = z < T.zEnd ? min(nextEnd, T.end) : k;
        if (z + 1 < T.zEnd) nextEnd = int(zOffsets[z + 2]);
        while (k < end) {
          const int next = min(k + K, end);
          feed.need(next);
          float y[P], zFirst[P] = {}, b[Tiles][P];
          bool upper[P];
#pragma unroll
          for (int i = 0; i < P; ++i) {
            const int p = min(k + t + 4 * i, next - 1);
            const TensorPoint<float, Dims> q = feed.point(p);
            const FoldedCell cy(q.y + rowV, eightCells), cx(q.x + rowV, eightCells);
            const float kx = phi(cx.v);
            y[i] = phi(cy.v);
            upper[i] = cy.upper;
            const float low = cx.upper ? 0.f : kx, high = cx.upper ? kx : 0.f;
            if constexpr (Dims == 3) zFirst[i] = q.z;
            const bool past = k + t + 4 * i >= next;
#pragma unroll
            for (int coil = 0; coil < Coils; ++coil) {
              float2 c = feed.sample(p, coil);
              if (past) c = make_float2(0.f, 0.f);
              c = make_float2(c.x * scale, c.y * scale);
              b[4 * coil][i] = low * c.x;
              b[4 * coil + 1][i] = low * c.y;
              b[4 * coil + 2][i] = high * c.x;
              b[4 * coil + 3][i] = high * c.y;
            }
          }
          const std::uint32_t maskLow[2] = {pairMask(!upper[0], !upper[1]), pairMask(!upper[2], !upper[3])};
          if constexpr (Half) {
            const std::uint32_t pairs[2] = {packHalf(y[0], y[1]), packHalf(y[2], y[3])};
            const std::uint32_t rows[4] = {pairs[0] & maskLow[0], pairs[0] & ~maskLow[0],
                                           pairs[1] & maskLow[1], pairs[1] & ~maskLow[1]};
            std::uint32_t bh[Tiles][2];
#pragma unroll
            for (int j = 0; j < Tiles; ++j) {
              bh[j][0] = packHalf(b[j][0], b[j][1]);
              bh[j][1] = packHalf(b[j][2], b[j][3]);
            }
            if constexpr (Slabs == 1) {
#pragma unroll
              for (int j = 0; j < Tiles; ++j) mmaHalf(slab[0][j], rows, bh[j][0], bh[j][1]);
            } else {
              std::uint32_t kz[Z];
              pairsAlongZ<W>(phi, zFirst, g, kz);
#pragma unroll
              for (int s = 0; s < Slabs; ++s) {
                const std::uint32_t z01 = __shfl_sync(~0u, kz[s >> 3], (s & 7) * 4 + t);
                const std::uint32_t z23 = __shfl_sync(~0u, kz[(W + s) >> 3], ((W + s) & 7) * 4 + t);
                const std::uint32_t a[4] = {multiplyHalf(rows[0], z01), multiplyHalf(rows[1], z01),
                                            multiplyHalf(rows[2], z23), multiplyHalf(rows[3], z23)};
#pragma unroll
                for (int j = 0; j < Tiles; ++j) mmaHalf(slab[(s + r) % Slabs][j], a, bh[j][0], bh[j][1]);
              }
            }
          } else {
            SplitHalf bs[Tiles][2];
#pragma unroll
            for (int j = 0; j < Tiles; ++j) {
              bs[j][0] = splitHalf(b[j][0], b[j][1]);
              bs[j][1] = splitHalf(b[j][2], b[j][3]);
            }
            float kz[Z];
            if constexpr (Slabs > 1) valuesAlongZ<W>(phi, zFirst, g, kz);
#pragma unroll
            for (int s = 0; s < Slabs; ++s) {
              float v[P];
#pragma unroll
              for (int i = 0; i < P; ++i) {
                const int e = i * W + s;
                v[i] = y[i] * (Slabs > 1 ? __shfl_sync(~0u, kz[Slabs > 1 ? e >> 3 : 0], (e & 7) * 4 + t)
                                         : splitScale);
              }
              const SplitHalf first = splitHalf(v[0], v[1]), second = splitHalf(v[2], v[3]);
              const std::uint32_t head[4] = {first.head & maskLow[0], first.head & ~maskLow[0],
                                             second.head & maskLow[1], second.head & ~maskLow[1]};
              const std::uint32_t tail[4] = {first.tail & maskLow[0], first.tail & ~maskLow[0],
                                             second.tail & maskLow[1], second.tail & ~maskLow[1]};
              addSplitProducts(slab[(s + r) % Slabs], head, tail, bs);
            }
          }
          k = next;
        }
        if (z < T.zEnd + Slabs - 1) flush(slab[r], z, originX, originY, shape, unscale, grid, g, t);
      }
      rotateSlabs<U>(slab);
    }
    // The next task reuses the ring.
    waitForCopies();
    __syncwarp();
  }
}

template <int W, int Slabs, bool Half, int Coils>
void launch(const TensorLayout<float>& layout, const TensorPoints<float>& points, const float2* c,
            float2* grid, int groups, const float* largest, cudaStream_t stream) {
  constexpr int terms = tensorTerms<float>(W, Half);
  const auto kernel = spreadTensor<W, Slabs, Half, Coils, terms>;
  constexpr int threads = 32 * tensorWarps(Slabs);
  const dim3 blocks(tensorBlocks(reinterpret_cast<const void*>(kernel), threads, points.taskLimit), groups);
  kernel<<<blocks, threads, 0, stream>>>(kernelSeries<terms>(layout), points.points, points.order,
                                         points.offsets, points.tasks, points.taskCount, points.count, c,
                                         spreadShape(layout), largest, grid);
  checkLaunch("spreading on tensor cores");
}

}  // namespace

void tensorSpread(const TensorLayout<float>& layout, const TensorPoints<float>& points, const float2* c,
                  float2* grid, int batch, const float* largest, cudaStream_t stream) {
  if (points.count == 0) return;
  const int taken = tensorSpreadCoils(layout, points, c, grid, batch, largest, stream);
  if (taken == batch) return;
  c += taken * points.count;
  grid += taken * layout.gridCells();
  tensorFloatForm(layout, [&](auto w, auto slabs, auto half) {
    constexpr int W = w, Slabs = slabs, Coils = tensorCoils<true>(w, slabs, half);
    constexpr bool Half = half;
    forImageGroups<Coils>(batch - taken, [&](auto coils, int first, int groups) {
      launch<W, Slabs, Half, coils>(layout, points, c + first * points.count,
                                    grid + first * layout.gridCells(), groups, largest, stream);
    });
  });
}

}  // namespace spokelab::gpu
