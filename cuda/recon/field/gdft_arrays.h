// The arrays on the device that the float kernels of Gdft and GdftR2 share, and the forms of their
// arithmetic.
//   forward: out_j = sum_p in_p B e^{-2 pi i (k_j . r_p + f_p t_j)}
//   adjoint: its conjugate transpose
//   B = prod_d sinc(k_d / N_d + G_d t) e^{-R t}, or 1;  f and G in cycles/s.
// Phases of second order add b_j . q_p turns, of up to four forms.
// float: whole turns are removed before a phase is rounded. k . r on the regular grid is fixed
// point (2^32 a turn) at the middle of a run of pixels and continued from there. f t is reduced by
// a fused multiply-add, with the low halves of both factors where the high ones alone would cost
// too much accuracy.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

// The way in which a kernel reduces f t to less than a turn, and its multiplication by B.
//   narrow   f t is at most a few turns: nothing is reduced
//   high     reduced from the high halves of f and t alone, t counting from the readout's middle
//   middle   with the low half of f as well, t counting from the readout's middle
//   wide     with both low halves
//   sinc1, sinc2, sincAny
//            as wide, times B, if |sinc's argument| is below 1, below 2, or not bounded
//   bent, bentSinc
//            as wide and sincAny, with phases of second order
enum class GdftForm { narrow, high, middle, wide, sinc1, sinc2, sincAny, bent, bentSinc };
constexpr bool timesAreCentred(GdftForm form) {
  return form == GdftForm::high || form == GdftForm::middle;
}
constexpr bool isModulated(GdftForm form) {
  return form == GdftForm::sinc1 || form == GdftForm::sinc2 || form == GdftForm::sincAny ||
         form == GdftForm::bentSinc;
}
constexpr bool isBent(GdftForm form) {
  return form == GdftForm::bent || form == GdftForm::bentSinc;
}
// reference: one thread an output, as [cudadft] 3.2 writes it; tiled: gdft_tiled.cu on the regular
// grid, gdft_given.cu for given coordinates; sharedTimes: gdft_shared_times.cu.
enum class GdftVariant { reference, tiled, sharedTimes };

struct GdftSampleArrays {
  std::int64_t count = 0;
  const uint4* step = nullptr;   // regular grid: 2^32 k_d / N_d
  const float2* time = nullptr;  // high and low half, s
  const float4* k = nullptr;     // cycles/FOV, high half
  const float4* kLow = nullptr;  // its low half, for given coordinates
  // Phases of second order: turns of each form at place 1, high and low halves.
  const float4 *bend = nullptr, *bendLow = nullptr;
  // Number of shots that share their times: sample = shot * (count / shots) + n.
  std::int64_t shots = 1;
};

struct GdftPixelArrays {
  std::int64_t count = 0;
  int nx = 1, ny = 1, nz = 1;     // regular grid (given coordinates: count x 1 x 1)
  float3 inverse{1, 1, 1};        // 1 / N_d, of the sinc
  const float2* field = nullptr;  // cycles/s, high and low half
  // Forms whose times count from the readout's middle t0: e^{-2 pi i f t0}.
  const float2* turn = nullptr;
  const float4* gradient = nullptr;  // cycles/s per voxel along x, y, z; R in 1/s (4th)
  const float4* r = nullptr;         // given coordinates: FOV units, high half
  const float4* rLow = nullptr;      // and low half
  // Phases of second order: places of each form, high and low halves.
  const float4 *bend = nullptr, *bendLow = nullptr;
  bool grid = true;
};

// Receives the parts of the outputs from the blocks of a launch (gdft_parts.h); part = firstPart +
// blockIdx.y.
struct GdftTarget {
  double2* sums = nullptr;  // [output]: parts meet here by atomic additions, unless there are rows
  float2* rows = nullptr;   // [blockIdx.y, output]
  std::int64_t outputs = 0;
  int firstPart = 0;
};

}  // namespace spokelab::gpu
