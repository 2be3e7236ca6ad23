#include "engine/recon/field/echo/smooth_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t pixelsATask = 1 << 14;
// A little cost of slopes: without any data far around, the map becomes flat.
constexpr double slopeCost = 1e-3;

double medianQuality(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Q + lambda sum_d (D2_d^T D2_d + slopeCost D1_d^T D1_d)
class Penalized {
 public:
  Penalized(std::vector<double> quality, const Index3& size, double lambda)
      : quality_(std::move(quality)), size_(size), lambda_(lambda), bends_(quality_.size()) {}

  void apply(const std::vector<double>& x, std::vector<double>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = quality_[i] * x[i];
    std::int64_t step = 1;
    for (std::size_t d = 0; d < 3; step *= size_[d], ++d)
      if (size_[d] > 1) addAxis(x, y, size_[d], step);
  }
  double diagonal(std::size_t i) const {
    constexpr double perAxis = 6 + 2 * slopeCost;  // of D2^T D2 and D1^T D1, away from the edges
    double axes = 0;
    for (const std::int64_t n : size_) axes += n > 1 ? 1 : 0;
    return quality_[i] + lambda_ * axes * perAxis;
  }

 private:
  void addAxis(const std::vector<double>& x, std::vector<double>& y, std::int64_t n, std::int64_t step) {
    const auto pixels = std::int64_t(x.size());
    parallelFor(pixels, 0, pixelsATask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t at = i / step % n;
        bends_[std::size_t(i)] = at == 0 || at == n - 1 ? 0
                                                        : x[std::size_t(i - step)] - 2 * x[std::size_t(i)] +
                                                              x[std::size_t(i + step)];
      }
    });
    parallelFor(pixels, 0, pixelsATask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t at = i / step % n;
        double sum = -2 * bends_[std::size_t(i)];
        for (const std::int64_t side : {std::int64_t(-1), std::int64_t(1)}) {
          if (at + side < 0 || at + side >= n) continue;
          const auto next = std::size_t(i + side * step);
          sum += bends_[next] + slopeCost * (x[std::size_t(i)] - x[next]);
        }
        y[std::size_t(i)] += lambda_ * sum;
      }
    });
  }

  std::vector<double> quality_;
  Index3 size_;
  double lambda_;
  std::vector<double> bends_;
};

double innerProduct(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::vector<double> smoothMap(std::span<const double> values, std::span<const double> quality,
                              const Index3& size, double width, const Progress& progress) {
  std::vector<double> x(values.size(), 0.0), q(quality.begin(), quality.end());
  std::vector<double> known;
  for (const double v : q)
    if (v > 0) known.push_back(v);
  const double median = medianQuality(std::move(known));
  if (!(median > 0)) return x;
  // Pixels that are a hundred times as sure as the median would only slow the iterations down.
  constexpr double maxQuality = 100;
  std::vector<double> right(x.size());
  double mean = 0, total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    q[i] = std::min(maxQuality, q[i] / median);
    mean += q[i] * values[i];
    total += q[i];
  }
  mean /= total;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = q[i] > 0 ? values[i] : mean;
    right[i] = q[i] * values[i];
  }
  Penalized matrix(std::move(q), size, std::pow(width / (2 * std::numbers::pi), 4));

  constexpr int maxIterations = 500;
  constexpr double tolerance = 1e-5;
  std::vector<double> residual(x.size()), scaled(x.size()), direction(x.size()), product(x.size());
  matrix.apply(x, product);
  const auto scale = [&] {
    for (std::size_t i = 0; i < x.size(); ++i) scaled[i] = residual[i] / matrix.diagonal(i);
  };
  for (std::size_t i = 0; i < x.size(); ++i) residual[i] = right[i] - product[i];
  scale();
  direction = scaled;
  double now = innerProduct(residual, scaled);
  const double enough = tolerance * tolerance * std::max(now, innerProduct(right, right));
  for (int k = 0; k < maxIterations && now > enough; ++k) {
    progress.checkpoint();
    matrix.apply(direction, product);
    const double length = now / innerProduct(direction, product);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += length * direction[i];
      residual[i] -= length * product[i];
    }
    scale();
    const double next = innerProduct(residual, scaled);
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = scaled[i] + next / now * direction[i];
    now = next;
  }
  return x;
}

}  // namespace spokelab
