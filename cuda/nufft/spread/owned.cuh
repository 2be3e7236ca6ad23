// Spreads points into a tile of shared memory whose cells have owners. Each thread owns (x, y)
// columns, all threads walk through the same points, and a thread adds where a point touches its
// columns.
#pragma once

#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/spread/tile.cuh"

namespace spokelab::gpu {

// Points whose weights lie in shared memory together.
inline constexpr int stagedPoints = 32;
// Weights a point and dimension.
inline constexpr int maxWeights = KernelTable<float>::maxCells;

template <class Real, int Images>
struct StagedPoint {
  Complex<Real> c[Images];
  int at[3];  // first touched cell, from the tile's origin; may be negative
};

// Images: a block's at a time, which share a point's place and the kernel's values.
template <class Real, int Images>
struct Stage {
  StagedPoint<Real, Images> point[stagedPoints];
  Real weight[3][stagedPoints][maxWeights];
};

// Bytes of a cell's sum.
template <class Real>
std::int64_t sumBytes(const MethodSetup<Real>& setup) {
  return setup.reproducible ? sizeof(double2) : sizeof(Complex<Real>);
}

// Shared memory of a block without its stage, if three blocks share a multiprocessor.
template <class Real, int Images>
std::int64_t roomForTiles(const MethodSetup<Real>& setup) {
  return sharedOfBlock(setup.device, 3) - std::int64_t(sizeof(Stage<Real, Images>));
}

// Sectors have 8 cells a side as gpuNUFFT's ([gnufftw] IV.B.2), in both directions.
template <class Real>
std::array<int, 3> sectorBins(const MethodSetup<Real>& setup) {
  const std::array<int, 3> bin = setup.dims == 1   ? std::array{256, 1, 1}
                                 : setup.dims == 2 ? std::array{8, 8, 1}
                                                   : std::array{8, 8, 8};
  return fittingBin(setup, binsOr(setup, bin), sumBytes(setup), roomForTiles<Real, 1>(setup));
}

// Puts points [begin, end) of the order into the stage: one thread a point and dimension. samples:
// [image, point], of `images` images; the stage's others are 0.
template <int Dims, class Real, int Images>
__device__ void stagePoints(Stage<Real, Images>& stage, const KernelTable<Real>& table,
                            const OrderedPoints<Real>& points, const Complex<Real>* samples, int images,
                            std::uint32_t begin, std::uint32_t end, const Tile& tile, int3 grid) {
  const int count = int(end - begin);
  for (int i = threadIdx.x; i < count * Dims; i += blockDim.x) {
    const int q = i % count, d = i / count;
    const std::uint32_t p = begin + q;
    const int extent = d == 0 ? grid.x : d == 1 ? grid.y : grid.z;
    const auto place = placeOf(points, d, p);
    int at = place.first - tile.origin[d];
    if (at >= tile.size[d]) at -= extent;  // a neighbour across the grid's edge
    stage.point[q].at[d] = at;
    // All weights are evaluated together: a single one would wait for each of its polynomial's
    // terms.
    Real weight[maxWeights];
    kernelWeights<0>(table, place.fraction, weight);
#pragma unroll
    for (int j = 0; j < maxWeights; ++j)
      if (j < table.cells) stage.weight[d][q][j] = weight[j];
    if (d == 0)
#pragma unroll
      for (int i = 0; i < Images; ++i)
        stage.point[q].c[i] =
            i < images ? samples[i * points.count + points.permutation[p]] : Complex<Real>{0, 0};
  }
}

// Adds the staged points to the columns of this thread. accumulator: [image][z][y][x] of the tile.
// Up to 2-D a column is one cell, and its sum is kept in registers: an addition in memory would
// wait for the addition before it.
template <int Dims, class Real, int Images, class Sum>
__device__ void addStaged(const Stage<Real, Images>& stage, int count, int cells, const Tile& tile,
                          Sum* accumulator) {
  const int columns = tile.size[0] * tile.size[1], volume = tile.volume();
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    const int x = column % tile.size[0], y = column / tile.size[0];
    [[maybe_unused]] Sum own[Images];
    if constexpr (Dims < 3)
#pragma unroll
      for (int i = 0; i < Images; ++i) own[i] = accumulator[i * volume + column];
    for (int q = 0; q < count; ++q) {
      const int ix = x - stage.point[q].at[0];
      if (unsigned(ix) >= unsigned(cells)) continue;
      Real weight = stage.weight[0][q][ix];
      if constexpr (Dims > 1) {
        const int iy = y - stage.point[q].at[1];
        if (unsigned(iy) >= unsigned(cells)) continue;
        weight *= stage.weight[1][q][iy];
      }
      Complex<Real> c[Images];
#pragma unroll
      for (int i = 0; i < Images; ++i) c[i] = stage.point[q].c[i];
      if constexpr (Dims < 3) {
#pragma unroll
        for (int i = 0; i < Images; ++i) {
          own[i].x += c[i].x * weight;
          own[i].y += c[i].y * weight;
        }
      } else {
        const int z = stage.point[q].at[2];
        const int first = max(0, -z), last = min(cells, tile.size[2] - z);
        for (int iz = first; iz < last; ++iz) {
          const Real w = weight * stage.weight[2][q][iz];
#pragma unroll
          for (int i = 0; i < Images; ++i) {
            Sum& cell = accumulator[i * volume + (z + iz) * columns + column];
            cell.x += c[i].x * w;
            cell.y += c[i].y * w;
          }
        }
      }
    }
    if constexpr (Dims < 3)
#pragma unroll
      for (int i = 0; i < Images; ++i) accumulator[i * volume + column] = own[i];
  }
}

// Sum: Complex<Real>, or complex double for sums of many points.
template <int Dims, class Real, int Images, class Sum>
__device__ void addRange(Stage<Real, Images>& stage, const KernelTable<Real>& table,
                         const OrderedPoints<Real>& points, const Complex<Real>* samples, int images,
                         std::uint32_t begin, std::uint32_t end, const Tile& tile, int3 grid,
                         Sum* accumulator) {
  for (std::uint32_t p = begin; p < end; p += stagedPoints) {
    const std::uint32_t stop = min(p + stagedPoints, end);
    stagePoints<Dims>(stage, table, points, samples, images, p, stop, tile, grid);
    __syncthreads();
    addStaged<Dims>(stage, int(stop - p), table.cells, tile, accumulator);
    __syncthreads();
  }
}

}  // namespace spokelab::gpu
