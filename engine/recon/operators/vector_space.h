// The vectors that iterative reconstruction works on. One conjugate gradient and one SENSE operator
// serve host and device: they are templates on a space, which owns vectors and knows how to add,
// multiply and differentiate them. Vectors are complex, lengths in elements; images are x fastest.
// Sums are accumulated in double.
#pragma once

#include <concepts>
#include <span>
#include <utility>

#include "engine/nufft/nufft.h"
#include "engine/recon/operators/space_times.h"

namespace spokelab {

template <class S>
concept VectorSpace = requires(S s, const S c, typename S::Vector v, const typename S::Vector w,
                               typename S::Complex* x, const typename S::Complex* y, typename S::Real a,
                               std::int64_t n, Index3 size) {
  { s.make(n) } -> std::same_as<typename S::Vector>;  // contents undefined
  { v.data() } -> std::same_as<typename S::Complex*>;
  s.upload(y, v.data(), n);                                 // from host memory
  s.uploadReal(static_cast<const double*>(nullptr), x, n);  // real numbers, likewise
  s.download(y, x, n);                                      // to host memory; has arrived on return
  s.zero(x, n);
  s.copy(y, x, n);                              // x = y
  s.axpy(a, y, x, n);                           // x += a y
  s.addTimes(typename S::Complex(a), y, x, n);  // x += a y, a complex
  s.xpay(y, a, x, n);                           // x = y + a x
  s.scaledCopy(a, y, x, n);                     // x = a y
  { s.dot(y, y, n) } -> std::same_as<double>;   // Re <y, y>
  // x -= sum over u of u <u, x>, for vectors u of length 1 that are orthogonal to rounding; returns
  // <x, x> of what is left
  { s.removeComponents(std::span<const typename S::Vector>(&w, 1), x, n) } -> std::same_as<double>;
  // x[c, i] = y[i] phase[i] maps[c, i];  phase may be null
  s.expand(y, y, y, x, n, n);
  // x[i] (+)= conj(phase[i]) sum_c conj(maps[c, i]) y[c, i]
  s.combine(y, y, y, x, n, n, true);
  // x[c, i] *= y[i]
  s.scale(y, x, n, n);
  s.scaleReal(&a, x, n, n);  // by real numbers
  // x[d, i] = y[i + 1 along d] - y[i], 0 at the last of an axis
  s.differences(y, x, size, 3);
  // x[i] += a sum_d (adjoint of the differences along d of y[d])
  s.addDifferencesAdjoint(a, y, x, size, 3);
  // x[d, i] shrunk by a towards 0 in its length over d (complex)
  s.shrink(a, x, n, 3);
  { c.execution() } -> std::same_as<Execution>;   // for transforms on these vectors
  s.timed(SpaceWork::maps, [] {});                // makes the call and books its time to this work
  { s.takeTimed() } -> std::same_as<SpaceTimes>;  // waits; returns these times and sets them to 0
  c.synchronize();                                // returns when all work so far is done
};

// The CPU's.
template <class RealType>
class HostSpace {
 public:
  using Real = RealType;
  using Complex = std::complex<Real>;
  using Vector = Buffer<Complex>;

  explicit HostSpace(int threads = 0) : threads_(threads) {}

  int threads() const { return threads_; }

  Vector make(std::int64_t n) const { return Vector(static_cast<std::size_t>(n)); }
  void upload(const Complex* host, Complex* x, std::int64_t n) const { copy(host, x, n); }
  void uploadReal(const double* host, Complex* x, std::int64_t n) const;
  void download(const Complex* x, Complex* host, std::int64_t n) const { copy(x, host, n); }
  void zero(Complex* x, std::int64_t n) const;
  void copy(const Complex* from, Complex* to, std::int64_t n) const;
  void axpy(Real a, const Complex* x, Complex* y, std::int64_t n) const;
  void addTimes(Complex a, const Complex* x, Complex* y, std::int64_t n) const;
  void xpay(const Complex* x, Real a, Complex* y, std::int64_t n) const;
  void scaledCopy(Real a, const Complex* x, Complex* y, std::int64_t n) const;
  double dot(const Complex* x, const Complex* y, std::int64_t n) const;
  double removeComponents(std::span<const Vector> units, Complex* x, std::int64_t n) const;
  void expand(const Complex* image, const Complex* maps, const Complex* phase, Complex* out,
              std::int64_t count, std::int64_t n) const;
  void combine(const Complex* in, const Complex* maps, const Complex* phase, Complex* out, std::int64_t count,
               std::int64_t n, bool add) const;
  void scale(const Complex* factors, Complex* values, std::int64_t count, std::int64_t n) const;
  void scaleReal(const Real* factors, Complex* values, std::int64_t count, std::int64_t n) const;
  void differences(const Complex* image, Complex* out, const Index3& size, int dims) const;
  void addDifferencesAdjoint(Real a, const Complex* in, Complex* image, const Index3& size, int dims) const;
  void shrink(Real threshold, Complex* values, std::int64_t n, int dims) const;
  Execution execution() const { return {}; }
  template <class Call>
  void timed(SpaceWork work, const Call& call) {
    const StageRecorder stages(times_.stages);
    const SpaceTimer timer(times_[work]);
    call();
  }
  SpaceTimes takeTimed() { return std::exchange(times_, {}); }
  void synchronize() const {}

 private:
  int threads_;
  SpaceTimes times_;
};

}  // namespace spokelab
