// The inner sums of nudft, compiled once for any machine and once for AVX2 (nudft_sums_avx2.cpp).
// Phases of nudftLanes points at once are separate real and imaginary arrays: re[n * lanes + p].
#pragma once

#include <cstdint>

namespace spokelab {

inline constexpr int nudftLanes = 8;  // points summed in one pass over a row

struct NudftSums {
  // re, im [count, lanes] = e^{2 pi i (start + n) k_p}, exact to about an ulp: (start + n) k_p is
  // reduced to [-1/2, 1/2] with one rounding (fused multiply-add) before sine and cosine.
  void (*phases)(const double* k, std::int64_t start, std::int64_t count, double* re, double* im);
  // re, im [lanes] = sum_n row[n] e[n, p]; row holds re, im, re, im, ...
  void (*dot)(const double* row, const double* phaseRe, const double* phaseIm, std::int64_t count, double* re,
              double* im);
  // row[n] += sum_p w_p e[n, p]
  void (*add)(const double* weightRe, const double* weightIm, const double* phaseRe, const double* phaseIm,
              std::int64_t count, double* row);
  // out += sum_j (re + i im)_j e^{2 pi i sum_d n_d k[d][j]}: one output; count is a multiple of the
  // lanes
  void (*pixel)(const double* const* k, const double* n, const double* re, const double* im,
                std::int64_t count, double* out);
};

const NudftSums& nudftSumsPortable();
#ifdef SPOKELAB_X86_64
const NudftSums& nudftSumsAvx2();
#endif

}  // namespace spokelab
