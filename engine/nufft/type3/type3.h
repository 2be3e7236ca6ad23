// Transforms from non-uniform points to non-uniform points (type 3), on the CPU.
//
//   forward   y_k = sum_j c_j e^{sign 2 pi i s_k . x_j}   from sources x_j to targets s_k
//   adjoint   its conjugate transpose, from targets to sources, unscaled
//
// x in any unit, s in cycles per that unit: only the products count. An image given as points with
// values is one use; x in mm and k in cycles per mm another. With C and X the middle and half the
// extent of the sources, D and S those of the targets, an axis:
//   1. values times e^{sign 2 pi i D . (x - C)} are spread on to a grid of spacing 1 / (2 alpha S) that
//      covers the sources, 4 alpha X S + W cells an axis;
//   2. that grid is the image of a transform of type 2, at the points (s - D) / (2 alpha S);
//   3. its values are divided by the kernel's transform there, and turned by e^{sign 2 pi i s . C}.
// Source: [finufft] section 3.3. The accuracy asked for is shared between the two kernels: the first
// has to hold it at the worst target, and step 3 amplifies the error of the second.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

struct Type3Problem {
  int dims = 2;  // 1, 2, 3
  Precision precision = Precision::single;
  int sign = -1;           // of forward's exponent
  std::int64_t batch = 1;  // [batch, source] and [batch, target]
};

// Of the points that are set.
struct Type3Info {
  NufftOptions outer, inner;  // resolved: of step 1, of the transform of type 2
  Index3 grid{1, 1, 1};       // that the sources are spread on to: the inner transform's image
  double error = 0;           // predicted, relative l2
  std::int64_t memory = 0;    // bytes held
  std::string description;    // one line
};

template <class Real>
class Type3 {
 public:
  using Complex = std::complex<Real>;

  // From the options: accuracy, alpha and width (0: chosen by the work they take; otherwise of both
  // steps), kernel, precomputation, threads, memory limit. Throws Error where they are out of range.
  Type3(const Type3Problem& problem, const NufftOptions& options);
  ~Type3();
  Type3(Type3&&) noexcept;
  Type3& operator=(Type3&&) noexcept;

  // [source, dims] and [target, dims], interleaved. May be called again. Throws Error, and keeps the
  // points that were set, for a coordinate that is not finite, an accuracy out of reach, and extents
  // whose product asks for a grid that does not fit into memory.
  void setPoints(std::span<const double> sources, std::span<const double> targets);

  const Type3Problem& problem() const;
  const Type3Info& info() const;
  std::int64_t sources() const;
  std::int64_t targets() const;

  void forward(const Complex* sourceValues, Complex* targetValues);
  void adjoint(const Complex* targetValues, Complex* sourceValues);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

extern template class Type3<float>;
extern template class Type3<double>;

}  // namespace spokelab
