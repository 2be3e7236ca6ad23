// Sizes of the oversampled grid: lengths 2^a 3^b 5^c 7^d, which FFTs are fast at. Errors are
// predicted, and kernels chosen, for gridSize(). A GPU's plan may have more cells, gridSizeOn():
// with the same kernel its error is smaller. Only the narrowest kernels have an error up to 3 %
// larger, which contractMargin allows for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/nufft/problem/backend_kind.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Smallest even size 2^a 3^b 5^c 7^d that is >= minimum. Throws Error beyond 2^31.
std::int64_t nextFastSize(std::int64_t minimum);

// Smallest oversampling ratio of each dimension, NufftOptions::axisAlpha; 0: no minimum.
using AxisRatios = std::array<double, 3>;

// Oversampled grid for (alpha, width): per dimension the next fast size >= max(alpha N, 2 ceil(W)),
// and >= least N.
Index3 gridSize(const NufftProblem& problem, double alpha, double width, const AxisRatios& least = {});

// Values of alpha in (1, 2] whose grids are distinct fast sizes for this problem, ascending. If
// several ratios give one grid, the largest is kept: it needs the narrowest kernel.
std::vector<double> fastAlphas(const NufftProblem& problem, const AxisRatios& least = {});

// Lengths that the GPU transforms by Spokelab's passes, ascending: they include padding, cropping
// and deapodization, and need no plan of cuFFT (cuda/nufft/fft/line_pass.h).
inline constexpr int gpuPassLengths[] = {
    32,   36,   40,   42,   48,   54,   56,   60,   64,   72,   80,   84,   90,   96,   100,  108,  112,
    120,  128,  140,  144,  160,  168,  180,  192,  200,  216,  224,  240,  256,  270,  288,  300,  320,
    336,  360,  384,  400,  432,  448,  480,  512,  540,  576,  600,  640,  672,  720,  768,  800,  864,
    900,  960,  1024, 1080, 1152, 1200, 1280, 1296, 1344, 1440, 1536, 1620, 1728, 1800, 1920, 2016, 2100,
    2160, 2304, 2400, 2520, 2592, 2688, 2800, 2880, 3024, 3072, 3200, 3360, 3456, 3600, 3840, 4032, 4096};

// Limits of 1-D grids. One kernel (cuda/nufft/fft/block_line.h) transforms any even 2^a 3^b 5^c 7^d
// up to maxGpuBlockLine. Two kernels (split_line.h) transform, up to maxGpuSplitLine, a product of
// one of gpuSplitLengths and one of gpuPassLengths.
inline constexpr int maxGpuBlockLine = 2048, maxGpuSplitLine = 131'072;
inline constexpr int gpuSplitLengths[] = {32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160};

// Cells of a row, one of gpuSplitLengths, and of a column, one of gpuPassLengths.
struct SplitLengths {
  int row = 0, column = 0;  // 0: no such lengths
};
// The two factors of a grid of `cells` cells, more than maxGpuBlockLine, that are closest to each
// other.
SplitLengths splitLengths(std::int64_t cells);

// True if a backend's plans transform such a grid by Spokelab's passes: on a GPU, if all lengths
// are in gpuPassLengths (1-D: as said above).
bool hasPassesOn(const std::string& backend, const NufftProblem& problem, const Index3& grid);

// The grid of a backend's plan for (alpha, width). On a GPU: in each dimension the next length with
// passes, if that makes at most 1/8 more cells than gridSize(). Else gridSize().
Index3 gridSizeOn(const std::string& backend, const NufftProblem& problem, double alpha, double width,
                  const AxisRatios& least = {});

// fastAlphas() for the grids of gridSizeOn().
std::vector<double> fastAlphasOn(const std::string& backend, const NufftProblem& problem,
                                 const AxisRatios& least = {});

}  // namespace spokelab
