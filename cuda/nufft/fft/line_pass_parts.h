// The passes of the lengths in a list (line_lengths.h). Each list's kernels are compiled in two
// files, one for each precision.
#pragma once

#include "cuda/nufft/fft/line_lengths.h"
#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

template <class Real, class Lengths>
struct LinePasses {
  // As launchLinePass. False: the length is not in the list.
  static bool launch(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                     const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                     const LineFactors<Real>& factors, const Real* transfer, cudaStream_t stream);
};

extern template struct LinePasses<float, Short<float>>;
extern template struct LinePasses<double, Short<double>>;
extern template struct LinePasses<float, Middle<float>>;
extern template struct LinePasses<double, Middle<double>>;
extern template struct LinePasses<float, Long<float>>;
extern template struct LinePasses<double, Long<double>>;
extern template struct LinePasses<float, Longest<float>>;
extern template struct LinePasses<double, Longest<double>>;

}  // namespace spokelab::gpu
