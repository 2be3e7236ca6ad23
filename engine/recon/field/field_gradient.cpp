#include "engine/recon/field/field_gradient.h"

#include <algorithm>
#include <numbers>
#include <string>

#include "engine/core/error.h"

namespace spokelab {
namespace {

void physicalGradient(std::span<const double> field, const Index3& n, std::size_t d, double* out) {
  const std::int64_t stride = d == 0 ? 1 : d == 1 ? n[0] : n[0] * n[1];
  const std::int64_t count = n[d];
  for (std::int64_t i = 0; i < product(n); ++i) {
    const std::int64_t at = i / stride % count;
    const std::int64_t before = at > 0 ? 1 : 0, after = at + 1 < count ? 1 : 0;
    const double distance = double(before + after);
    out[i] = distance == 0
                 ? 0
                 : (field[std::size_t(i + after * stride)] - field[std::size_t(i - before * stride)]) /
                       (distance * 2 * std::numbers::pi);
  }
}

void powerGridGradient(std::span<const double> field, const Index3& n, std::size_t d, double* out) {
  const std::int64_t total = product(n);
  const std::int64_t stride = std::min(d == 0 ? 1 : d == 1 ? n[1] : n[0] * n[1], total);
  for (std::int64_t i = 0; i < total; ++i) {
    const std::int64_t before = i >= stride ? i - stride : i;
    const std::int64_t after = i + stride < total ? i + stride : i;
    out[i] = field[std::size_t(after)] - field[std::size_t(before)];
  }
}

}  // namespace

std::vector<double> fieldGradient(std::span<const double> field, const Index3& matrix, int dims,
                                  GradientMode mode) {
  const std::int64_t pixels = product(matrix);
  if (std::int64_t(field.size()) != pixels)
    throw Error("Cannot compute in-voxel gradients",
                "the field map has " + std::to_string(field.size()) + " values for " +
                    std::to_string(pixels) + " pixels",
                "Give a field map of the image's size");
  std::vector<double> gradient(std::size_t(pixels * dims));
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    double* const out = gradient.data() + std::int64_t(d) * pixels;
    if (mode == GradientMode::physical)
      physicalGradient(field, matrix, d, out);
    else
      powerGridGradient(field, matrix, d, out);
  }
  return gradient;
}

}  // namespace spokelab
