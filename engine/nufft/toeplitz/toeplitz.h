// The normal operator as a convolution on the CPU: (A^H W A f)(n) = sum_m f(m) q(n - m), with the
// point spread function
//   q(l) = sum_j w_j e^{-s 2 pi i l . k_j},  |l_d| < N_d   (s: the problem's forward sign),
// by circular transforms of length L_d. The weights are real, so q(-l) = conj(q(l)): the transform
// of q is real and is kept as real numbers, 1 / prod L folded in. Two forms:
//   padded   one transform and its inverse with L_d a fast size >= max(2 N_d - 1, alpha_T N_d)
//   shifted  2^d transforms of length N_d and their inverses, without a padded grid; images are
//            modulated by e^{-i pi n_d / N_d} in the dimensions that take half a frequency step
// Both run in passes over lines, padding and cropping built in. The last dimension's lines are
// transformed, multiplied and transformed back while they are in the cache, so that the grid holds
// only [N_z, L_y, L_x]. Sources: [gnufftw] III.C (eq. 13 has another sign and range), [formulas].
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/stage_timer.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

template <class Real>
class ToeplitzOperator {
 public:
  using Complex = std::complex<Real>;

  // Allocates. The transfer function is one everywhere until a point spread function is set.
  ToeplitzOperator(const NufftProblem& problem, bool shifted, double alphaT, int threads,
                   FftEffort effort = FftEffort::estimate);
  ~ToeplitzOperator();

  // psf: lags (x, y, z), x fastest: -(N_d - 1) ... N_d - 1, but 0 ... N_d - 1 in the last
  // dimension; the other half is its conjugate.
  void setPsf(const std::complex<float>* psf);
  void setPsf(const std::complex<double>* psf);

  // One image [z, y, x]; in == out is allowed. Books its time to fft.
  void apply(const Complex* in, Complex* out);

  std::int64_t memory() const;  // bytes
  static std::int64_t estimate(const NufftProblem& problem, bool shifted, double alphaT);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

extern template class ToeplitzOperator<float>;
extern template class ToeplitzOperator<double>;

}  // namespace spokelab
