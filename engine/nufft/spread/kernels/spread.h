// Spreading: samples -> oversampled grid, g[i0 + j] += c_j prod_d phi_d, for points that were
// sorted by binSort. Interpolation: the reverse gather. The inner loops (tile_loops.h) are
// instantiated once for each precision and instruction set (instances/); this header declares the
// tables of plain functions that they fill.
#pragma once

#include <complex>
#include <cstdint>

#include "engine/core/simd/cpu_features.h"
#include "engine/nufft/spread/kernels/loop_kernel.h"

namespace spokelab {

// Points of one tile, and the part of the grid that they touch. Samples are indexed by the points'
// source index; if `sorted`, they are in sorted order, and `input` or `output` begins at the first
// point's sample.
template <class Real>
struct TileJob {
  const LoopKernel<Real>* kernel = nullptr;
  const void* points = nullptr;  // SortedPoint<Real, dims>[count]
  std::int64_t count = 0;
  // Only for the stored loops: kernel values at [count][dims][ceil(W)] cells. The loops also read
  // valueMargin numbers on either side, which have to be finite.
  const Real* values = nullptr;
  bool sorted = false;
  const std::complex<Real>* input = nullptr;  // samples that are spread
  std::complex<Real>* output = nullptr;       // samples that are interpolated
  std::complex<Real>* grid = nullptr;         // first cell of the tile
  std::int64_t strideY = 0, strideZ = 0;      // cells
};

template <class Real>
using TileFunction = void (*)(const TileJob<Real>&);

// Adds `reals` numbers (a multiple of 8) of `cells` to sums in double, and clears the cells.
template <class Real>
using MoveFunction = void (*)(Real* cells, double* sums, std::int64_t reals);

template <class Real>
struct TileFunctions {
  TileFunction<Real> function[4][maxKernelCells + 1] = {};  // [dims][ceil(W)]
  // Largest number of cells that a loop reads or writes along x, from the first cell on: at least
  // ceil(W), as vectors are whole. The grid must have room for them.
  int reach[maxKernelCells + 1] = {};
  MoveFunction<Real> moveToSums = nullptr;  // of spreading
};

template <class Real>
const TileFunctions<Real>& spreadFunctions(InstructionSet set);
template <class Real>
const TileFunctions<Real>& interpolateFunctions(InstructionSet set);

// The same, with kernel values read from TileJob::values instead of evaluated.
template <class Real>
const TileFunctions<Real>& storedSpreadFunctions(InstructionSet set);
template <class Real>
const TileFunctions<Real>& storedInterpolateFunctions(InstructionSet set);

inline constexpr int valueMargin = 64;

extern const TileFunctions<float> spreadFloatPortable, interpolateFloatPortable;
extern const TileFunctions<double> spreadDoublePortable, interpolateDoublePortable;
extern const TileFunctions<float> storedSpreadFloatPortable, storedInterpolateFloatPortable;
extern const TileFunctions<double> storedSpreadDoublePortable, storedInterpolateDoublePortable;
#ifdef SPOKELAB_X86_64
extern const TileFunctions<float> spreadFloatAvx2, spreadFloatAvx512, interpolateFloatAvx2,
    interpolateFloatAvx512;
extern const TileFunctions<double> spreadDoubleAvx2, spreadDoubleAvx512, interpolateDoubleAvx2,
    interpolateDoubleAvx512;
extern const TileFunctions<float> storedSpreadFloatAvx2, storedSpreadFloatAvx512, storedInterpolateFloatAvx2,
    storedInterpolateFloatAvx512;
extern const TileFunctions<double> storedSpreadDoubleAvx2, storedSpreadDoubleAvx512,
    storedInterpolateDoubleAvx2, storedInterpolateDoubleAvx512;
#endif

}  // namespace spokelab
