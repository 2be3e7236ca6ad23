#include "engine/nufft/kernel/kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/prolate.h"
#include "engine/nufft/kernel/quadrature.h"

namespace spokelab {

using std::numbers::pi;

// Quadrature of the transform over u = (W/2) sin(theta), which takes the root out of the
// semicircle's edge: transform(xi) = sum_k weight[k] cos(pi W xi node[k]). Good to 1e-15 for |xi|
// <= 6.5.
struct KernelTable {
  std::vector<double> legendre;  // prolate
  std::vector<double> node, weight;
};

namespace {

constexpr double beattyConstant = 0.8;
// Beta over pi W (1 - 1/(2 alpha)); gives 2.30 W at alpha = 2.
constexpr double semicircleShape = 0.976;
// Frequency up to which the quadrature is good, in cycles per cell.
constexpr double maxFrequency = 6.5;

// Modified Bessel function I_0: the power series, all terms positive.
double besselI0(double x) {
  const double q = 0.25 * x * x;
  double term = 1, sum = 1;
  for (int k = 1; term > 1e-17 * sum; ++k) {
    term *= q / (double(k) * k);
    sum += term;
  }
  return sum;
}

double shapeOf(KernelType type, double width, double alpha) {
  const double edge = 1 - 0.5 / alpha;  // the nearest alias of the image's edge, cycles per cell
  switch (type) {
    case KernelType::kaiserBessel:
      return pi * std::sqrt(width * width * edge * edge - beattyConstant);
    case KernelType::semicircle:
      return semicircleShape * pi * width * edge;
    case KernelType::prolate:
      return pi * width * edge;
    case KernelType::gaussian:
      return 0.5 * pi * width * edge;
    case KernelType::automatic:
      break;
  }
  return 0;
}

double shapeFunction(KernelType type, double beta, const KernelTable* table, double v) {
  const double root = std::sqrt(std::max(0.0, (1 - v) * (1 + v)));
  switch (type) {
    case KernelType::kaiserBessel:
      return besselI0(beta * root);
    case KernelType::semicircle:
      return std::exp(beta * (root - 1));
    case KernelType::prolate:
      return prolateValue(table->legendre, v);
    case KernelType::gaussian:
      return std::exp(-beta * v * v);
    case KernelType::automatic:
      break;
  }
  return 0;
}

}  // namespace

KernelType resolvedKernel(KernelType type) {
  return type == KernelType::automatic ? KernelType::kaiserBessel : type;
}

bool Kernel::defined(KernelType type, double width, double alpha) {
  if (!(alpha > 0.5) || !(width > 0) || !std::isfinite(width) || !std::isfinite(alpha)) return false;
  const double edge = 1 - 0.5 / alpha;
  return resolvedKernel(type) != KernelType::kaiserBessel || width * width * edge * edge > beattyConstant;
}

Kernel::Kernel(KernelType type, double width, double alpha)
    : type_(resolvedKernel(type)), width_(width), alpha_(alpha), cells_(int(std::ceil(width))) {
  if (!defined(type, width, alpha))
    throw Error("No such kernel",
                std::string(kernelName(type)) + " is not defined for width " + numberText(width) +
                    " at oversampling " + numberText(alpha),
                "Take a wider kernel or a larger oversampling ratio");
  beta_ = shapeOf(type_, width, alpha);
  if (type_ == KernelType::kaiserBessel) {
    centre_ = besselI0(beta_);
    return;
  }
  auto table = std::make_shared<KernelTable>();
  if (type_ == KernelType::prolate) table->legendre = prolateCoefficients(beta_);
  // Nodes for the kernel itself, besides half a node for each radian of the fastest oscillation.
  constexpr int smoothNodes = 24;
  // Rounding up to multiples lets few rules serve all widths.
  constexpr int nodeStep = 16;
  const int nodes = smoothNodes + int(std::ceil(0.5 * pi * maxFrequency * width));
  const Quadrature& q = gaussLegendre((nodes + nodeStep - 1) / nodeStep * nodeStep);
  for (std::size_t i = 0; i < q.node.size(); ++i) {
    const double theta = 0.25 * pi * (q.node[i] + 1);
    table->node.push_back(std::sin(theta));
    table->weight.push_back(width * 0.25 * pi * q.weight[i] * std::cos(theta) *
                            shapeFunction(type_, beta_, table.get(), std::sin(theta)));
  }
  table_ = std::move(table);
}

double Kernel::operator()(double u) const {
  const double v = 2 * u / width_;
  return std::abs(v) > 1 ? 0 : shapeFunction(type_, beta_, table_.get(), v) / centre_;
}

double Kernel::transform(double xi) const {
  const double z = pi * width_ * xi;
  if (type_ == KernelType::kaiserBessel) {
    const double square = (beta_ - z) * (beta_ + z);
    constexpr double seriesBelow = 1e-4;
    double sinc = 1 + square / 6 + square * square / 120;
    if (square > seriesBelow) sinc = std::sinh(std::sqrt(square)) / std::sqrt(square);
    if (square < -seriesBelow) sinc = std::sin(std::sqrt(-square)) / std::sqrt(-square);
    return width_ / centre_ * sinc;
  }
  double sum = 0;
  for (std::size_t i = 0; i < table_->node.size(); ++i)
    sum += table_->weight[i] * std::cos(z * table_->node[i]);
  return sum;
}

}  // namespace spokelab
