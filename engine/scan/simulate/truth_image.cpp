#include "engine/scan/simulate/truth_image.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/simulate/kernels/shifted_kspace.h"

namespace spokelab {
namespace {

using std::numbers::pi;

// One axis of m(n) = step sum_k F(k) e^{+2 pi i k n / N}, n from -floor(N/2), k = (i - floor(K/2))
// step for the K values along it; step 1 or 1 / finer.
std::vector<cdouble> sumAlong(const std::vector<cdouble>& values, Index3& size, std::size_t axis,
                              std::int64_t n, std::int64_t finer, const Progress& progress) {
  const std::int64_t count = size[axis], period = n * finer;
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < axis; ++d) stride *= size[d];
  std::vector<cdouble> turns;
  for (std::int64_t i = 0; i < period; ++i)
    turns.push_back(std::polar(1 / double(finer), 2 * pi * double(i) / double(period)));
  std::vector<cdouble> sums(values.size() / std::size_t(count) * std::size_t(n));
  parallelTasks(product(size) / count, 0, [&](std::int64_t line) {
    progress.checkpoint();
    const cdouble* in = values.data() + line % stride + line / stride * stride * count;
    cdouble* out = sums.data() + line % stride + line / stride * stride * n;
    for (std::int64_t x = 0; x < n; ++x) {
      const std::int64_t place = x - n / 2, turn = (place % period + period) % period;
      std::int64_t at = (-(count / 2) * place % period + period) % period;
      cdouble sum = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        sum += in[i * stride] * turns[std::size_t(at)];
        at += turn;
        if (at >= period) at -= period;
      }
      out[x * stride] = sum;
    }
  });
  size[axis] = n;
  return sums;
}

// Share of the cell of side `step` around k inside the ellipse (ellipsoid) of semi-axes N_d / 2.
double shareWithin(const double* k, const Index3& matrix, int dims, double step) {
  constexpr int parts = 8;
  const auto radius2 = [&](const double* at) {
    double sum = 0;
    for (std::size_t d = 0; d < std::size_t(dims); ++d)
      sum += 4 * at[d] * at[d] / double(matrix[d] * matrix[d]);
    return sum;
  };
  double reach = 0;  // of the cell, in units of the smallest semi-axis
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    reach = std::max(reach, step * dims / double(matrix[d]));
  const double radius = std::sqrt(radius2(k));
  if (radius < 1 - reach) return 1;
  if (radius > 1 + reach) return 0;
  int inside = 0, all = 0;
  const auto offset = [&](int part) { return step * ((part + 0.5) / parts - 0.5); };
  for (int c = 0; c < (dims == 3 ? parts : 1); ++c)
    for (int b = 0; b < parts; ++b)
      for (int a = 0; a < parts; ++a) {
        const double at[3] = {k[0] + offset(a), k[1] + offset(b), dims == 3 ? k[2] + offset(c) : 0};
        inside += radius2(at) <= 1;
        ++all;
      }
  return double(inside) / all;
}

}  // namespace

TruthKind fairTruth(Pattern pattern) {
  switch (pattern) {
    case Pattern::random:
    case Pattern::gaussian:
    case Pattern::clustered:
    case Pattern::jittered:
    case Pattern::stackOfStars:
    case Pattern::stackOfSpirals:
      return TruthKind::band;
    default:
      return TruthKind::ball;
  }
}

Image truthImage(const Phantom& phantom, const Index3& matrix, TruthKind kind, const Progress& progress) {
  Image image = phantomImage(phantom, matrix);
  image.name = "truth";
  if (kind == TruthKind::points) return image;
  const std::int64_t finer = kind == TruthKind::ball ? 2 : 1;
  Index3 size{1, 1, 1};
  double bytes = sizeof(cdouble);
  for (std::size_t d = 0; d < std::size_t(phantom.dims); ++d) {
    size[d] = kind == TruthKind::ball ? finer * matrix[d] + 1 : matrix[d];
    bytes *= double(size[d]);
  }
  requireMemory(bytes, "Cannot make the true image", "its k-space", "Use a smaller matrix, or truth points");
  const ShiftedKspace object(phantom, {Vec3{0, 0, 0}});
  std::vector<cdouble> values(std::size_t(product(size)));
  parallelTasks(size[1] * size[2], 0, [&](std::int64_t row) {
    progress.checkpoint();
    const auto at = [&](std::size_t d, std::int64_t i) { return double(i - size[d] / 2) / double(finer); };
    for (std::int64_t x = 0; x < size[0]; ++x) {
      const double k[3] = {at(0, x), at(1, row % size[1]), at(2, row / size[1])};
      const double share =
          kind == TruthKind::ball ? shareWithin(k, matrix, phantom.dims, 1 / double(finer)) : 1;
      cdouble& value = values[std::size_t(row * size[0] + x)];
      value = 0;
      if (share > 0) object.evaluate(k, &value);
      value *= share;
    }
  });
  for (std::size_t axis = 0; axis < std::size_t(phantom.dims); ++axis)
    values = sumAlong(values, size, axis, matrix[axis], finer, progress);
  for (std::size_t i = 0; i < values.size(); ++i) image.data[i] = cfloat(values[i]);
  return image;
}

}  // namespace spokelab
