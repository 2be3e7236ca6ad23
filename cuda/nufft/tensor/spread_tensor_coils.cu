// Spreading on tensor cores in float and 3-D for several coils: a block takes a coil a warp
// (spread_tensor_float.cu has the products). What depends on the points alone - the kernel along x,
// and along y times z - is evaluated once for the block: of up to `Coils` steps of 16 points each
// warp prepares one in shared memory, and then all of them take all steps. Registers hold the slabs
// of one coil, as with one.
//
// Instructions of a coil fall by a third. H100, 128^3, radial points, 8 coils, beside one coil
// after the other: fp16 pairs 4 cells wide take 0.106 ms a coil and 0.125, heads and tails 6 cells
// wide 0.27 and 0.33. Wider fp16 pairs are slower (0.121 and 0.114): samples of several coils at
// once do not stay in the L2 cache while their neighbours are taken, and the kernel waits for
// memory.
#include "cuda/device/check.h"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/tensor/spread_slabs.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

constexpr int blockCoils(int cells, bool half) {
  constexpr int mostCells = 4;
  if (!half) return 4;
  return cells <= mostCells ? 2 : 0;  // one after the other
}

// Blocks of a multiprocessor that registers allow, so that 12 warps run. The wider kernels have too
// few in any case.
constexpr int coilBlocks(int cells, int coils) {
  constexpr int mostCells = 6, warps = 12;
  return cells <= mostCells ? warps / coils : 1;
}

// A step as its lanes need it.
template <int W, bool Half>
struct PreparedStep {
  static constexpr int words = Half ? 2 : 4;
  // k_y k_z of the lane's row (and of the row 8 further, whichever the kernel reaches) for the
  // pairs of points (t, t + 4) and (t + 8, t + 12): fp16 pairs; else their heads, then their tails.
  std::uint32_t yz[W][32][words];
  float x[32][4];              // k_x of the lane's points at its cell, scaled; 0 past the end
  std::uint32_t masks[32][4];  // halves of pairs that belong to the lower rows, and to the lower cells
};

template <int W, bool Half, int Coils>
struct CoilBlock {
  static constexpr int ring = 64 * Coils;  // points; a turn takes 16 Coils of them
  PointRing<float, 3, float2, 1, ring> rings[Coils];
  PreparedStep<W, Half> steps[2][Coils];
};

template <int W, bool Half, int Coils, int Terms>
__global__ void __launch_bounds__(32 * Coils, coilBlocks(W, Coils))
    spreadTensorCoils(const __grid_constant__ KernelSeries<Terms> phi, const float* __restrict__ points,
                      const std::uint32_t* __restrict__ order, const std::uint32_t* __restrict__ offsets,
                      const TensorTask* __restrict__ tasks, const int* __restrict__ taskCount,
                      std::int64_t count, const float2* __restrict__ samples,
                      const __grid_constant__ SpreadShape shape, const float* __restrict__ largest,
                      float2* __restrict__ grid) {
  using Block = CoilBlock<W, Half, Coils>;
  constexpr int U = spreadRotation(W, Half);
  constexpr int K = 16;                                        // points a matrix product
  constexpr int P = K / 4;                                     // points a lane
  constexpr int Z = Half ? (2 * W + 7) / 8 : (P * W + 7) / 8;  // k_z evaluations a lane
  extern __shared__ __align__(16) unsigned char memory[];
  Block& block = *reinterpret_cast<Block*>(memory);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, g = lane >> 2, t = lane & 3;
  const float rowV = float(g - 8) * phi.step, eightCells = 8.f * phi.step;
  const float scale = halfScale(largest), unscale = 1.f / (Half ? scale : scale * splitScale);
  samples += (Coils * std::int64_t(blockIdx.y) + warp) * count;
  grid += (Coils * std::int64_t(blockIdx.y) + warp) * shape.cells;
  Slab<1> slab[W];
#pragma unroll
  for (int s = 0; s < W; ++s) clear(slab[s]);
  int turn = 0;

  const int taskEnd = *taskCount;
  for (int task = blockIdx.x; task < taskEnd; task += gridDim.x) {
    const TensorTask T = tasks[task];
    const int originX = T.column % shape.columnsX * shape.blockX,
              originY = T.column / shape.columnsX * shape.blockY;
    const std::uint32_t* zOffsets = offsets + std::int64_t(T.column) * shape.z;
    PointFeed<float, 3, float2, 1, Block::ring> feed(&block.rings[warp], points, order, samples, count,
                                                     T.begin, lane);
    int k = T.begin, nextEnd = int(zOffsets[T.zBegin + 1]);

    const auto prepare = [&](PreparedStep<W, Half>& step, int first, int end) {
      float y[P], zFirst[P], x[P];
      bool upperY[P], upperX[P];
#pragma unroll
      for (int i = 0; i < P; ++i) {
        const TensorPoint<float, 3> q = feed.point(min(first + t + 4 * i, end - 1));
        const FoldedCell cy(q.y + rowV, eightCells), cx(q.x + rowV, eightCells);
        y[i] = phi(cy.v);
        upperY[i] = cy.upper;
        upperX[i] = cx.upper;
        zFirst[i] = q.z;
        x[i] = first + t + 4 * i < end ? phi(cx.v) * scale : 0.f;
      }
      *reinterpret_cast<float4*>(step.x[lane]) = make_float4(x[0], x[1], x[2], x[3]);
      *reinterpret_cast<uint4*>(step.masks[lane]) =
          make_uint4(pairMask(!upperY[0], !upperY[1]), pairMask(!upperY[2], !upperY[3]),
                     pairMask(!upperX[0], !upperX[1]), pairMask(!upperX[2], !upperX[3]));
      if constexpr (Half) {
        const std::uint32_t rows[2] = {packHalf(y[0], y[1]), packHalf(y[2], y[3])};
        std::uint32_t kz[Z];
        pairsAlongZ<W>(phi, zFirst, g, kz);
#pragma unroll
        for (int s = 0; s < W; ++s) {
          const std::uint32_t z01 = __shfl_sync(~0u, kz[s >> 3], (s & 7) * 4 + t);
          const std::uint32_t z23 = __shfl_sync(~0u, kz[(W + s) >> 3], ((W + s) & 7) * 4 + t);
          *reinterpret_cast<uint2*>(step.yz[s][lane]) =
              make_uint2(multiplyHalf(rows[0], z01), multiplyHalf(rows[1], z23));
        }
      } else {
        float kz[Z];
        valuesAlongZ<W>(phi, zFirst, g, kz);
#pragma unroll
        for (int s = 0; s < W; ++s) {
          float v[P];
#pragma unroll
          for (int i = 0; i < P; ++i) {
            const int e = i * W + s;
            v[i] = y[i] * __shfl_sync(~0u, kz[e >> 3], (e & 7) * 4 + t);
          }
          const SplitHalf a = splitHalf(v[0], v[1]), b = splitHalf(v[2], v[3]);
          *reinterpret_cast<uint4*>(step.yz[s][lane]) = make_uint4(a.head, b.head, a.tail, b.tail);
        }
      }
    };

    for (int zGroup = T.zBegin; zGroup < T.zEnd + W - 1; zGroup += U) {
#pragma unroll
      for (int r = 0; r < U; ++r) {
        const int z = zGroup + r;
        const int end = z < T.zEnd ? min(nextEnd, T.end) : k;
        if (z + 1 < T.zEnd) nextEnd = int(zOffsets[z + 2]);
        while (k < end) {
          const int turnEnd = min(k + Coils * K, end), own = k + warp * K;
          feed.need(turnEnd);
          // A warp that is here has taken all steps of the turn before the last, whose room this
          // one has.
          if (own < turnEnd) prepare(block.steps[turn][warp], own, min(own + K, turnEnd));
          __syncthreads();
          for (int w = 0; k < turnEnd; ++w) {
            const PreparedStep<W, Half>& step = block.steps[turn][w];
            const int next = min(k + K, turnEnd);
            const float4 xs = *reinterpret_cast<const float4*>(step.x[lane]);
            const uint4 masks = *reinterpret_cast<const uint4*>(step.masks[lane]);
            const float x[P] = {xs.x, xs.y, xs.z, xs.w};
            const std::uint32_t maskLow[2] = {masks.x, masks.y}, xLow[2] = {masks.z, masks.w};
            float b[2][P];
#pragma unroll
            for (int i = 0; i < P; ++i) {
              const float2 c = feed.sample(min(k + t + 4 * i, next - 1));
              b[0][i] = x[i] * c.x;
              b[1][i] = x[i] * c.y;
            }
            if constexpr (Half) {
              std::uint32_t bh[4][2];
#pragma unroll
              for (int part = 0; part < 2; ++part)
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                  const std::uint32_t pair = packHalf(b[part][2 * h], b[part][2 * h + 1]);
                  bh[part][h] = pair & xLow[h];
                  bh[part + 2][h] = pair & ~xLow[h];
                }
#pragma unroll
              for (int s = 0; s < W; ++s) {
                const uint2 yz = *reinterpret_cast<const uint2*>(step.yz[s][lane]);
                const std::uint32_t a[4] = {yz.x & maskLow[0], yz.x & ~maskLow[0], yz.y & maskLow[1],
                                            yz.y & ~maskLow[1]};
#pragma unroll
                for (int j = 0; j < 4; ++j) mmaHalf(slab[(s + r) % W][j], a, bh[j][0], bh[j][1]);
              }
            } else {
              SplitHalf bs[4][2];
#pragma unroll
              for (int part = 0; part < 2; ++part)
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                  const SplitHalf pair = splitHalf(b[part][2 * h], b[part][2 * h + 1]);
                  bs[part][h] = {pair.head & xLow[h], pair.tail & xLow[h]};
                  bs[part + 2][h] = {pair.head & ~xLow[h], pair.tail & ~xLow[h]};
                }
#pragma unroll
              for (int s = 0; s < W; ++s) {
                const uint4 yz = *reinterpret_cast<const uint4*>(step.yz[s][lane]);
                const std::uint32_t head[4] = {yz.x & maskLow[0], yz.x & ~maskLow[0], yz.y & maskLow[1],
                                               yz.y & ~maskLow[1]};
                const std::uint32_t tail[4] = {yz.z & maskLow[0], yz.z & ~maskLow[0], yz.w & maskLow[1],
                                               yz.w & ~maskLow[1]};
                addSplitProducts(slab[(s + r) % W], head, tail, bs);
              }
            }
            k = next;
          }
          turn ^= 1;
        }
        if (z < T.zEnd + W - 1) flush(slab[r], z, originX, originY, shape, unscale, grid, g, t);
      }
      rotateSlabs<U>(slab);
    }
    // The next task reuses the ring.
    waitForCopies();
    __syncwarp();
  }
}

// The coils that were taken, the first of the batch.
template <int W, bool Half>
int launch(const TensorLayout<float>& layout, const TensorPoints<float>& points, const float2* c,
           float2* grid, int batch, const float* largest, cudaStream_t stream) {
  constexpr int coils = blockCoils(W, Half);
  if constexpr (coils == 0) {
    return 0;
  } else {
    const int groups = batch / coils;
    if (groups == 0) return 0;
    constexpr int terms = tensorTerms<float>(W, Half), threads = 32 * coils;
    constexpr std::size_t shared = sizeof(CoilBlock<W, Half, coils>), least = 64 * 1024;
    static_assert(shared <= least, "more than devices of compute capability 7.5 have");
    const auto kernel = spreadTensorCoils<W, Half, coils, terms>;
    allowShared(kernel, shared);
    const dim3 blocks(tensorBlocks(reinterpret_cast<const void*>(kernel), threads, points.taskLimit, shared),
                      unsigned(groups));
    kernel<<<blocks, threads, shared, stream>>>(kernelSeries<terms>(layout), points.points, points.order,
                                                points.offsets, points.tasks, points.taskCount, points.count,
                                                c, spreadShape(layout), largest, grid);
    checkLaunch("spreading on tensor cores");
    return groups * coils;
  }
}

}  // namespace

int tensorSpreadCoils(const TensorLayout<float>& layout, const TensorPoints<float>& points, const float2* c,
                      float2* grid, int batch, const float* largest, cudaStream_t stream) {
  int taken = 0;
  if (layout.dims == 3)
    tensorFloatWidth(layout.cells, [&](auto w) {
      taken = layout.half ? launch<w, true>(layout, points, c, grid, batch, largest, stream)
                          : launch<w, false>(layout, points, c, grid, batch, largest, stream);
    });
  return taken;
}

}  // namespace spokelab::gpu
