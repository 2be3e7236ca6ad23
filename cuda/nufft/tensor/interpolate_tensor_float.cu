// Interpolation on tensor cores in float (tensor.h has the idea), the mirror of
// spread_tensor_float.cu.
//
// One warp a task, 16 points a matrix product. With g = lane / 4 and t = lane % 4, a lane holds
//   A (row = point, k = x):  k_x k_z of points g and g + 8 at cells t, t + 4, t + 8, t + 12
//   B (k = x, col = y):      the slab, real and imaginary parts interleaved: y = 4 j + g / 2
//   D (row = point, col):    sums over x and z; multiplied by k_y and summed over y, the last four
//                            rows by shuffles
// A warp takes up to four coils (tensorCoils): their slabs are further n-tiles of B and D under
// the same A.
#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/device/image_groups.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/tensor/tensor_device.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

struct GridShape {
  int x, y, z, blockX, blockY, columnsX;
  std::int64_t cells;
};

// Slabs whose names rotate in the unrolled loop: their bodies together stay below 32 KB of code.
constexpr int rotation(int slabs, bool half) {
  if (half) return slabs <= 4 ? slabs : 2;
  return slabs <= 2 ? slabs : 2;
}

// True if a kernel reaches only one of the cells t, t + 4, t + 8, t + 12 of a column. Wider kernels
// reach one of each two cells that are 8 apart.
template <int W>
inline constexpr bool reachesOneCell = W <= 4;

// As pairs of cells, (t, t + 4) and (t + 8, t + 12): the values, and which halves of each pair they
// belong to.
template <int W>
struct XCells {
  float k[2];
  std::uint32_t lower, upper;
  XCells() = default;
  template <class Phi>
  __device__ __forceinline__ XCells(const Phi& phi, float x, int t) {
    const float first = x + float(t - 8) * phi.step;
    if constexpr (reachesOneCell<W>) {
      const TwiceFoldedCell cell(first, 4.f * phi.step);
      k[0] = k[1] = phi(cell.v);
      const std::uint32_t half = cell.second ? 0xffff0000u : 0xffffu;
      lower = cell.upper ? 0 : half;
      upper = cell.upper ? half : 0;
    } else {
      const FoldedCell even(first, 8.f * phi.step), odd(x + float(t - 4) * phi.step, 8.f * phi.step);
      k[0] = phi(even.v);
      k[1] = phi(odd.v);
      lower = pairMask(!even.upper, !odd.upper);
      upper = ~lower;
    }
  }
};

template <int W, class Phi>
__device__ __forceinline__ void kernelAtRows(const Phi& phi, float y, int t, float (&k)[4]) {
  if constexpr (reachesOneCell<W>) {
    const TwiceFoldedCell cell(y + float(t - 8) * phi.step, 4.f * phi.step);
    const float value = phi(cell.v);
#pragma unroll
    for (int j = 0; j < 4; ++j) k[j] = cell.upper == (j >= 2) && cell.second == (j % 2 == 1) ? value : 0.f;
  } else {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      const FoldedCell cell(y + float(t + 4 * q - 8) * phi.step, 8.f * phi.step);
      const float value = phi(cell.v);
      k[q] = cell.upper ? 0.f : value;
      k[q + 2] = cell.upper ? value : 0.f;
    }
  }
}

// True if two lanes write a point's real and imaginary part, instead of one lane writing both. This
// saves an exchange and a store: 4 % faster with narrow kernels and 3 to 13 % with several coils
// (H100), but 3 % slower with wide kernels and one coil, where registers are short.
template <int W, int Coils>
inline constexpr bool aPartEach = reachesOneCell<W> || Coils > 1;

template <int W, int Slabs, bool Half, int Coils, int Terms>
__global__ void __launch_bounds__(32 * tensorWarps(Slabs))
    interpolateTensor(const __grid_constant__ KernelSeries<Terms> phi, const float* __restrict__ points,
                      const std::uint32_t* __restrict__ order, const std::uint32_t* __restrict__ offsets,
                      const TensorTask* __restrict__ tasks, const int* __restrict__ taskCount,
                      std::int64_t count, const float2* __restrict__ gridBatch,
                      const __grid_constant__ GridShape shape, const double* __restrict__ energy,
                      float2* __restrict__ samples) {
  constexpr int K = 16;
  constexpr int Z =
      (2 * W + 3) / 4;  // k_z evaluations a lane: entry e = t + 4 i, slab e % W of point g or g + 8
  constexpr int U = rotation(Slabs, Half);
  constexpr int Tiles = 4 * Coils;  // of y, four a coil
  constexpr int Warps = tensorWarps(Slabs), Dims = Slabs > 1 ? 3 : 2;
  __shared__ alignas(16) PointRing<float, Dims, NoSample> rings[Warps];
  const int lane = threadIdx.x & 31, warp = Warps > 1 ? threadIdx.x >> 5 : 0, g = lane >> 2, t = lane & 3;
  const float scale = energyScale(energy, double(shape.cells)),
              unscale = 1.f / (Half ? scale : scale * splitScale);
  samples += Coils * blockIdx.y * count;
  const float* grid = reinterpret_cast<const float*>(gridBatch + Coils * blockIdx.y * shape.cells);

  const int taskEnd = *taskCount;
  for (int task = blockIdx.x * Warps + warp; task < taskEnd; task += gridDim.x * Warps) {
    const TensorTask T = tasks[task];
    const int originX = T.column % shape.columnsX * shape.blockX,
              originY = T.column / shape.columnsX * shape.blockY;
    const std::uint32_t* zOffsets = offsets + std::int64_t(T.column) * shape.z;
    int xOffset[4];
    std::int64_t yOffset[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      xOffset[i] = 2 * wrapped(originX + t + 4 * i, shape.x) + (g & 1);
      yOffset[i] = std::int64_t(wrapped(originY + 4 * i + (g >> 1), shape.y)) * shape.x * 2;
    }
    float raw[Tiles][4];  // the slab on its way, [y tile][x]
    auto load = [&](int z) {
      const float* from = grid + std::int64_t(wrapped(z, shape.z)) * shape.y * shape.x * 2;
#pragma unroll
      for (int coil = 0; coil < Coils; ++coil)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
          for (int i = 0; i < 4; ++i)
            raw[4 * coil + j][i] = from[2 * coil * shape.cells + yOffset[j] + xOffset[i]];
    };
    constexpr int Words = Half ? 2 : 4;
    std::uint32_t slab[Slabs][Tiles][Words];
    auto keep = [&](std::uint32_t(&to)[Tiles][Words]) {
#pragma unroll
      for (int j = 0; j < Tiles; ++j) {
        if constexpr (Half) {
          to[j][0] = packHalf(raw[j][0] * scale, raw[j][1] * scale);
          to[j][1] = packHalf(raw[j][2] * scale, raw[j][3] * scale);
        } else {  // heads, then tails
          const SplitHalf low = splitHalf(raw[j][0] * scale, raw[j][1] * scale),
                          high = splitHalf(raw[j][2] * scale, raw[j][3] * scale);
          to[j][0] = low.head;
          to[j][1] = high.head;
          to[j][Words - 2] = low.tail;
          to[j][Words - 1] = high.tail;
        }
      }
    };
#pragma unroll
    for (int s = 0; s < Slabs - 1; ++s) {
      load(T.zBegin + s);
      keep(slab[s]);
    }
    load(T.zBegin + Slabs - 1);
    PointFeed<float, Dims, NoSample> feed(&rings[warp], points, nullptr, nullptr, count, T.begin, lane);
    int k = T.begin, nextEnd = int(zOffsets[T.zBegin + 1]);

    for (int zGroup = T.zBegin; zGroup < T.zEnd; zGroup += U) {
#pragma unroll
      for (int r = 0; r < U; ++r) {
        const int z = zGroup + r;
        if (z < T.zEnd) {
          const int end = min(nextEnd, T.end);
          keep(slab[(r + Slabs - 1) % Slabs]);
          if (z + 1 < T.zEnd) {
            nextEnd = int(zOffsets[z + 2]);
            load(z + Slabs);
          }
          while (k < end) {
            const int next = min(k + K, end);
            feed.need(next);
            float y[2][4], zFirst[2] = {};
            XCells<W> x[2];
            std::uint32_t index[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
              const int at = min(k + g + 8 * i, next - 1);
              const TensorPoint<float, Dims> p = feed.point(at);
              if constexpr (Dims == 3) {
                index[i] = __float_as_uint(p.index);
                zFirst[i] = p.z;
              } else {
                index[i] = order[at];
              }
              x[i] = XCells<W>(phi, p.x, t);
              kernelAtRows<W>(phi, p.y, t, y[i]);
            }
            float kz[Z];
            if constexpr (Slabs > 1) {
#pragma unroll
              for (int i = 0; i < Z; ++i) {
                const int e = t + 4 * i;
                const bool second = e >= W;
                kz[i] = (Half ? 1.f : splitScale) *
                        phi((second ? zFirst[1] : zFirst[0]) + float(second ? e - W : e) * phi.step);
              }
            }
            float d[Tiles][4] = {};
            if constexpr (Half) {
              const std::uint32_t pairs[2] = {packHalf(x[0].k[0], x[0].k[1]), packHalf(x[1].k[0], x[1].k[1])};
              const std::uint32_t xh[4] = {pairs[0] & x[0].lower, pairs[1] & x[1].lower,
                                           pairs[0] & x[0].upper, pairs[1] & x[1].upper};
              std::uint32_t kzh[Z];
              if constexpr (Slabs > 1) {
#pragma unroll
                for (int i = 0; i < Z; ++i) kzh[i] = packHalf(kz[i], kz[i]);
              }
#pragma unroll
              for (int s = 0; s < Slabs; ++s) {
                std::uint32_t a[4] = {xh[0], xh[1], xh[2], xh[3]};
                if constexpr (Slabs > 1) {
                  const std::uint32_t z0 = __shfl_sync(~0u, kzh[s >> 2], (g << 2) + (s & 3));
                  const std::uint32_t z1 = __shfl_sync(~0u, kzh[(s + W) >> 2], (g << 2) + ((s + W) & 3));
#pragma unroll
                  for (int i = 0; i < 4; ++i) a[i] = multiplyHalf(a[i], i & 1 ? z1 : z0);
                }
#pragma unroll
                for (int j = 0; j < Tiles; ++j)
                  mmaHalf(d[j], a, slab[(s + r) % Slabs][j][0], slab[(s + r) % Slabs][j][1]);
              }
            } else {
#pragma unroll
              for (int s = 0; s < Slabs; ++s) {
                float z0 = splitScale, z1 = splitScale;
                if constexpr (Slabs > 1) {
                  z0 = __shfl_sync(~0u, kz[s >> 2], (g << 2) + (s & 3));
                  z1 = __shfl_sync(~0u, kz[(s + W) >> 2], (g << 2) + ((s + W) & 3));
                }
                const SplitHalf a0 = splitHalf(x[0].k[0] * z0, x[0].k[1] * z0),
                                a1 = splitHalf(x[1].k[0] * z1, x[1].k[1] * z1);
                const std::uint32_t head[4] = {a0.head & x[0].lower, a1.head & x[1].lower,
                                               a0.head & x[0].upper, a1.head & x[1].upper};
                const std::uint32_t tail[4] = {a0.tail & x[0].lower, a1.tail & x[1].lower,
                                               a0.tail & x[0].upper, a1.tail & x[1].upper};
#pragma unroll
                for (int j = 0; j < Tiles; ++j) {
                  const std::uint32_t(&b)[Words] = slab[(s + r) % Slabs][j];
                  mmaHalf(d[j], tail, b[0], b[1]);
                  mmaHalf(d[j], head, b[Words - 2], b[Words - 1]);
                  mmaHalf(d[j], head, b[0], b[1]);
                }
              }
            }
            // Lanes t = 0 and 1 write point g, the others point g + 8.
            const bool high = t >= 2, odd = t & 1, exists = k + g + (high ? 8 : 0) < end;
            float* to = reinterpret_cast<float*>(samples) + 2 * std::int64_t(high ? index[1] : index[0]);
            if constexpr (aPartEach<W, Coils>) to += t & 1;
#pragma unroll
            for (int coil = 0; coil < Coils; ++coil) {
              float sum[4] = {};
#pragma unroll
              for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) sum[i] = fmaf(d[4 * coil + j][i], y[i >> 1][j], sum[i]);
              float real = high ? sum[2] : sum[0], imaginary = high ? sum[3] : sum[1];
              real += __shfl_xor_sync(~0u, high ? sum[0] : sum[2], 2);
              imaginary += __shfl_xor_sync(~0u, high ? sum[1] : sum[3], 2);
              float* const here = to + 2 * coil * count;
              if constexpr (aPartEach<W, Coils>) {
                const float part = (odd ? imaginary : real) + __shfl_xor_sync(~0u, odd ? real : imaginary, 1);
                if (exists) *here = part * unscale;
              } else {
                real += __shfl_xor_sync(~0u, real, 1);
                imaginary += __shfl_xor_sync(~0u, imaginary, 1);
                if (exists && !odd)
                  *reinterpret_cast<float2*>(here) = make_float2(real * unscale, imaginary * unscale);
              }
            }
            k = next;
          }
        }
      }
      rotateSlabs<U>(slab);
    }
    waitForCopies();
    __syncwarp();
  }
}

template <int W, int Slabs, bool Half, int Coils>
void launch(const TensorLayout<float>& layout, const TensorPoints<float>& points, const float2* grid,
            float2* c, int groups, const double* energy, cudaStream_t stream) {
  constexpr int terms = tensorTerms<float>(W, Half);
  const GridShape shape{layout.gridX,  layout.gridY,    layout.gridZ,      layout.blockX,
                        layout.blockY, layout.columnsX, layout.gridCells()};
  const auto kernel = interpolateTensor<W, Slabs, Half, Coils, terms>;
  constexpr int threads = 32 * tensorWarps(Slabs);
  const dim3 blocks(tensorBlocks(reinterpret_cast<const void*>(kernel), threads, points.taskLimit), groups);
  kernel<<<blocks, threads, 0, stream>>>(kernelSeries<terms>(layout), points.points, points.order,
                                         points.offsets, points.tasks, points.taskCount, points.count, grid,
                                         shape, energy, c);
  checkLaunch("interpolating on tensor cores");
}

}  // namespace

void tensorInterpolate(const TensorLayout<float>& layout, const TensorPoints<float>& points,
                       const float2* grid, float2* c, int batch, const double* energy, cudaStream_t stream) {
  if (points.count == 0) return;
  tensorFloatForm(layout, [&](auto w, auto slabs, auto half) {
    constexpr int W = w, Slabs = slabs, Coils = tensorCoils<false>(w, slabs, half);
    constexpr bool Half = half;
    forImageGroups<Coils>(batch, [&](auto coils, int first, int groups) {
      launch<W, Slabs, Half, coils>(layout, points, grid + first * layout.gridCells(),
                                    c + first * points.count, groups, energy, stream);
    });
  });
}

}  // namespace spokelab::gpu
