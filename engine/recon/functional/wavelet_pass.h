// One pass of an orthogonal wavelet transform along one axis of a box of an image [z, y, x], x
// fastest:
//   a_k = sum_t h_t v_{2k+t},   d_k = sum_t g_t v_{2k+t},   g_t = (-1)^t h_{n-1-t},  indices cyclic
// with Daubechies' filter of four vanishing moments (Daubechies 1988; n = 8) or Haar's (1910; n =
// 2), so that the inverse is the transpose. The box's low half becomes a, its high half d. With an
// odd length the last value is copied behind a: the pass is orthogonal for every length.
#pragma once

#include <array>
#include <span>

#include "engine/recon/operators/vector_space.h"
#include "engine/recon/options/solver_options.h"

namespace spokelab {

inline constexpr int waveletTaps = 8, haarTaps = 2;
inline constexpr std::array<double, waveletTaps> waveletLowPass{
    0.23037781330889650,  0.71484657055291570, 0.63088076792985890, -0.02798376941685985,
    -0.18703481171909309, 0.03084138183556076, 0.03288301166688520, -0.01059740178506903};
inline constexpr std::array<double, haarTaps> haarLowPass{0.70710678118654752, 0.70710678118654752};

inline std::span<const double> waveletFilter(WaveletFamily family) {
  if (family == WaveletFamily::haar) return haarLowPass;
  return waveletLowPass;
}

struct WaveletPass {
  Index3 size{1, 1, 1};  // of the image
  Index3 box{1, 1, 1};   // its first pixels, which the pass transforms
  int axis = 0;
  std::int64_t shift = 0;  // pixels by which the box is turned along the axis before the transform
  bool inverse = false;
  WaveletFamily family = WaveletFamily::daubechies4;
};

// Works in place. room: scratch of the image's length, which a space may use.
template <class Real>
void waveletPass(const HostSpace<Real>& space, const WaveletPass& pass, std::complex<Real>* values,
                 std::complex<Real>* room);

}  // namespace spokelab
