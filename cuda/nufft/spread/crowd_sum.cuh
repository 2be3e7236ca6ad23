// Sums the points of a crowd by one block. Shared memory holds all kernel values of some points, as
// rows over the whole tile with zeros beyond a point's reach. A thread sums four cells along the
// last dimension in registers for all of these points, so it has no branches and no sums in memory.
// The zeros cost little, because a crowd's points touch most cells of their tile. If a tile has
// fewer such lines than a block has threads, groups of threads share the points, and each group has
// a copy of the tile.
#pragma once

#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/spread/tile.cuh"

namespace spokelab::gpu {

// Cells a side of a block of points, at most: about half a kernel, so that most of its points share
// their cells.
inline constexpr int blockCells = 4;
inline constexpr int crowdThreads = 128;
inline constexpr int lineCells = 4;
// The terms of this number of points are first added in single precision, so that most additions
// are cheap. Every crowdLimit is larger.
inline constexpr int pointsInReal = 32;

template <int Dims, class Real>
struct CrowdStage {
  static constexpr int points = Dims == 1 ? 128 : Dims == 2 ? 64 : 32;  // about one a thread and dimension
  static constexpr int tileCells = KernelTable<Real>::maxCells + blockCells - 1,
                       rowCells = (tileCells + lineCells - 1) / lineCells * lineCells;
  Complex<Real> c[points];
  alignas(16) Real weight[Dims][points][rowCells];
};

// Cells along the last dimension in lines of lineCells, for every cell of the others.
template <int Dims>
__host__ __device__ __forceinline__ int crowdLines(const int (&size)[3]) {
  int lines = (size[Dims - 1] + lineCells - 1) / lineCells;
  for (int d = 0; d < Dims - 1; ++d) lines *= size[d];
  return lines;
}
template <int Dims>
__host__ __device__ __forceinline__ int crowdGroups(const int (&size)[3]) {
  const int groups = crowdThreads / crowdLines<Dims>(size);
  return groups > 1 ? groups : 1;
}

// Puts points [begin, begin + count) of the order into the stage, a thread a point and dimension.
template <int Dims, class Real>
__device__ __forceinline__ void stageCrowd(CrowdStage<Dims, Real>& stage, const KernelTable<Real>& table,
                                           const OrderedPoints<Real>& points, const Complex<Real>* samples,
                                           std::uint32_t begin, int count, const Tile& tile, int3 grid) {
  for (int i = threadIdx.x; i < count * Dims; i += crowdThreads) {
    const int q = i % count, d = i / count;
    const auto place = placeOf(points, d, begin + q);
    int at = place.first - tile.origin[d];
    if (at >= tile.size[d])
      at -= d == 0 ? grid.x : d == 1 ? grid.y : grid.z;  // a neighbour across the grid's edge
    if (d == 0) stage.c[q] = samples[points.permutation[begin + q]];
    Real weight[KernelTable<Real>::maxCells];
    kernelWeights<0>(table, place.fraction, weight);
    Real* const row = stage.weight[d][q];
#pragma unroll
    for (int x = 0; x < CrowdStage<Dims, Real>::rowCells; ++x) row[x] = 0;
#pragma unroll
    for (int j = 0; j < KernelTable<Real>::maxCells; ++j)
      if (j < table.cells && unsigned(at + j) < unsigned(tile.size[d])) row[at + j] = weight[j];
  }
}

// Adds points [begin, end) to cells [groups][z][y][x] of the tile, by all threads of the block. The
// sums of all groups are in the first copy at the end.
template <int Dims, class Real>
__device__ __forceinline__ void addCrowd(CrowdStage<Dims, Real>& stage, const KernelTable<Real>& table,
                                         const OrderedPoints<Real>& points, const Complex<Real>* samples,
                                         std::uint32_t begin, std::uint32_t end, const Tile& tile, int3 grid,
                                         double2* cells) {
  constexpr int last = Dims - 1;
  const int lines = crowdLines<Dims>(tile.size), groups = crowdGroups<Dims>(tile.size),
            volume = tile.volume();
  const int across = volume / tile.size[last];
  const int staged = min(CrowdStage<Dims, Real>::points, pointsInReal * groups);
  for (std::uint32_t p = begin; p < end; p += staged) {
    const int count = int(min(p + staged, end) - p);
    stageCrowd(stage, table, points, samples, p, count, tile, grid);
    __syncthreads();
    for (int i = threadIdx.x; i < lines * groups; i += crowdThreads) {
      const int group = i / lines, line = i - group * lines, chunk = line / across,
                cell = line - chunk * across;
      [[maybe_unused]] const int y = cell / tile.size[0], x = cell - y * tile.size[0];
      Complex<Real> sum[lineCells] = {};
#pragma unroll 4
      for (int q = group; q < count; q += groups) {
        Complex<Real> c = stage.c[q];
        if constexpr (Dims > 1) {
          Real weight = stage.weight[0][q][x];
          if constexpr (Dims > 2) weight *= stage.weight[1][q][y];
          c.x *= weight;
          c.y *= weight;
        }
        const Real* const row = stage.weight[last][q] + chunk * lineCells;
#pragma unroll
        for (int j = 0; j < lineCells; ++j) {
          sum[j].x += c.x * row[j];
          sum[j].y += c.y * row[j];
        }
      }
      double2* const to = cells + group * volume + cell;
#pragma unroll
      for (int j = 0; j < lineCells; ++j)
        if (const int z = chunk * lineCells + j; z < tile.size[last]) {
          to[z * across].x += double(sum[j].x);
          to[z * across].y += double(sum[j].y);
        }
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < volume; i += crowdThreads)
    for (int group = 1; group < groups; ++group) {
      cells[i].x += cells[group * volume + i].x;
      cells[i].y += cells[group * volume + i].y;
    }
  __syncthreads();
}

}  // namespace spokelab::gpu
