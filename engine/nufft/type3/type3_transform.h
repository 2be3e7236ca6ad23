// The interface of type 3 transforms, from non-uniform points to non-uniform points, on CPU and
// GPU.
//
//   forward   y_k = sum_j c_j e^{sign 2 pi i s_k . x_j}   from sources x_j to targets s_k
//   adjoint   its conjugate transpose, from targets to sources, unscaled
//
// x in any unit, s in cycles per that unit, since only the products matter.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>

#include "engine/nufft/nufft.h"

namespace spokelab {

struct Type3Problem {
  int dims = 2;  // 1, 2, 3
  Precision precision = Precision::single;
  int sign = -1;           // of forward's exponent
  std::int64_t batch = 1;  // [batch, source] and [batch, target]
  // True: alpha and width of the options hold for step 1 (type3.h) alone. The type 2 transform has
  // the ratio innerAlpha, or one by predicted work if innerAlpha is 0.
  bool openInner = false;
  double innerAlpha = 0;
};

// Properties of a transform with its current points.
struct Type3Info {
  std::string backend;        // its name
  NufftOptions outer, inner;  // resolved, for step 1 (type3.h) and the type 2 transform
  Index3 grid{1, 1, 1};       // of spreading, also the inner transform's image
  double error = 0;           // predicted, relative l2
  std::int64_t memory = 0;    // bytes held
  std::string description;    // one line
};

template <class Real>
class Type3Transform {
 public:
  using Complex = std::complex<Real>;
  virtual ~Type3Transform() = default;

  // Sets sources [source, dims] and targets [target, dims]. May be called again. Throws Error for a
  // coordinate that is not finite, an accuracy out of reach, or extents whose product needs a grid
  // beyond the memory; the previous points then remain set.
  virtual void setPoints(std::span<const double> sources, std::span<const double> targets) = 0;

  virtual const Type3Problem& problem() const = 0;
  virtual const Type3Info& info() const = 0;
  virtual std::int64_t sources() const = 0;
  virtual std::int64_t targets() const = 0;

  // The GPU heeds devicePointers and stream of the Execution.
  virtual void forward(const Complex* sourceValues, Complex* targetValues, const Execution& = {}) = 0;
  virtual void adjoint(const Complex* targetValues, Complex* sourceValues, const Execution& = {}) = 0;
};

// The transform of a problem has the problem's precision.
using AnyType3 =
    std::variant<std::unique_ptr<Type3Transform<float>>, std::unique_ptr<Type3Transform<double>>>;

}  // namespace spokelab
