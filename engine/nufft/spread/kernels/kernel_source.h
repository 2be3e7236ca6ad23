// The source of kernel values that the loops do not evaluate as polynomials themselves ([nfft-jl]
// 3.7.4):
//   linear   a table of S intervals a cell, T[s][j] = phi(s/S + j - W/2), interpolated linearly. S
//            follows from the deviation that is allowed, which falls as 1/S^2 ([gnufftw] appendix B
//            has the error of the transform)
//   tensor   the polynomials, evaluated once for each point and dimension and kept by the plan
//   none     the kernel, by its formula, each time
#pragma once

#include <algorithm>
#include <span>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/points/bin_sort.h"

namespace spokelab {

// The S at which a linear table of this kernel deviates by about the tolerance. Makes no table.
double linearTableDensity(const Kernel& kernel, double tolerance);

template <class Real>
class KernelSource {
 public:
  // tolerance: deviation from the kernel, relative to phi(0), that a table may have
  // (KernelPolynomial::deviation). Throws Error where a table of a reasonable size does not reach
  // it.
  KernelSource(const Kernel& kernel, const KernelPolynomial& polynomial, Precomputation precomputation,
               double tolerance);

  int cells() const { return cells_; }
  Precomputation precomputation() const { return precomputation_; }
  // values[count][dims][cells] of sorted points (SortedPoint<Real, dims>).
  void fill(int dims, const void* points, std::int64_t count, Real* values) const;

  // Deviation from the kernel: root mean square times sqrt(2).
  double deviation() const { return deviation_; }
  int density() const { return density_; }  // linear: S
  // linear: [S + 1][cells]
  std::span<const Real> table() const { return {table_.data(), table_.size()}; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(table_.size() * sizeof(Real)); }

 private:
  struct Place {  // of a fraction, in the table
    int interval;
    Real part;
  };
  Place placeOf(Real f) const {
    const Real at = f * static_cast<Real>(density_);
    const int interval = std::min(static_cast<int>(at), density_ - 1);
    return {interval, at - static_cast<Real>(interval)};
  }
  static Real between(Real low, Real high, Real part) { return low + part * (high - low); }
  Real tableValue(int s, int j) const;
  double tableDeviation() const;
  void valuesAt(Real f, Real* values) const;
  template <int dims>
  void fillPoints(const SortedPoint<Real, dims>* points, std::int64_t count, Real* values) const;

  Kernel kernel_;
  KernelPolynomial polynomial_;
  Precomputation precomputation_;
  int cells_, density_ = 0;
  double deviation_ = 0;
  Buffer<Real> table_;  // [S + 1][cells]
};

extern template class KernelSource<float>;
extern template class KernelSource<double>;

}  // namespace spokelab
