#include "engine/core/measure/rank_test.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace spokelab {
namespace {

constexpr int exactUpTo = 40;  // repeats of a series; beyond, the normal approximation is as good

// Numbers of arrangements of n and m values for each U = 0 ... n m, over all arrangements: the
// recursion of Mann and Whitney, f(n, m, u) = f(n-1, m, u-m) + f(n, m-1, u), as probabilities.
std::vector<double> distribution(int n, int m) {
  std::vector<std::vector<double>> row(std::size_t(m) + 1, std::vector<double>{1.0});  // n = 0
  for (int i = 1; i <= n; ++i) {
    std::vector<std::vector<double>> next(std::size_t(m) + 1);
    next[0] = {1.0};
    for (int j = 1; j <= m; ++j) {
      std::vector<double>& f = next[std::size_t(j)];
      f.assign(std::size_t(i) * std::size_t(j) + 1, 0.0);
      const double last = double(i) / double(i + j);  // the largest value belongs to the first series
      const std::vector<double>&a = row[std::size_t(j)], &b = next[std::size_t(j - 1)];
      for (std::size_t u = 0; u < a.size(); ++u) f[u + std::size_t(j)] += last * a[u];
      for (std::size_t u = 0; u < b.size(); ++u) f[u] += (1 - last) * b[u];
    }
    row = std::move(next);
  }
  return row[std::size_t(m)];
}

std::vector<double> finiteOf(std::span<const double> values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double v) { return std::isfinite(v); });
  return finite;
}

double normalTail(double z) {  // two-sided
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

// Variance of U with the correction for ties.
double varianceOf(std::vector<double> values, double n, double m) {
  std::sort(values.begin(), values.end());
  double ties = 0;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t j = i + 1;  // NaN equals nothing, not even itself
    while (j < values.size() && values[j] == values[i]) ++j;
    const double t = double(j - i);
    ties += t * t * t - t;
    i = j;
  }
  const double N = n + m;
  return n * m / 12 * (N + 1 - ties / (N * (N - 1)));
}

}  // namespace

double medianOf(std::vector<double> values) {
  return values.empty() ? 0 : quantileOf(std::move(values), 0.5);
}

double quantileOf(std::vector<double> values, double q) {
  std::erase_if(values, [](double v) { return std::isnan(v); });  // they have no place in an order
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = q * double(values.size() - 1);
  const std::size_t low = std::size_t(at), high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - double(low)) * (values[high] - values[low]);
}

double relativeSpread(const std::vector<double>& values) {
  const double median = medianOf(values);
  return median > 0 ? (quantileOf(values, 0.75) - quantileOf(values, 0.25)) / median : 0;
}

double exactRankProbability(int n, int m, double u) {
  const std::vector<double> f = distribution(n, m);
  const double mean = double(n) * m / 2, far = std::abs(u - mean);
  double p = 0;
  constexpr double rounding = 1e-9;
  for (std::size_t k = 0; k < f.size(); ++k)
    if (std::abs(double(k) - mean) >= far - rounding) p += f[k];
  return std::min(1.0, p);
}

RankTest compareRepeats(std::span<const double> first, std::span<const double> second, double confidence) {
  const std::vector<double> before = finiteOf(first), after = finiteOf(second);
  RankTest test;
  const std::size_t n = before.size(), m = after.size();
  test.high = std::numeric_limits<double>::infinity();
  if (n == 0 || m == 0) return test;
  std::vector<double> ratios, all(before.begin(), before.end());
  all.insert(all.end(), after.begin(), after.end());
  ratios.reserve(n * m);
  double u = 0;
  bool ties = false;
  for (const double x : before)
    for (const double y : after) {
      ratios.push_back(y / x);
      u += x < y ? 1 : x == y ? 0.5 : 0;
      ties = ties || x == y;
    }
  std::sort(ratios.begin(), ratios.end());
  test.ratio = medianOf(ratios);
  const double sigma = std::sqrt(varianceOf(all, double(n), double(m)));
  const bool exact = !ties && int(std::max(n, m)) <= exactUpTo;
  if (exact) {
    test.p = exactRankProbability(int(n), int(m), u);
  } else if (sigma > 0) {
    const double away = std::max(0.0, std::abs(u - double(n * m) / 2) - 0.5);
    test.p = normalTail(away / sigma);
  }
  // The largest k with P(U < k) <= (1 - confidence) / 2: that many ratios are left out at each end.
  const double level = (1 - confidence) / 2;
  std::size_t k = 0;
  if (int(std::max(n, m)) <= exactUpTo) {
    const std::vector<double> f = distribution(int(n), int(m));
    for (double sum = f[0]; sum <= level; sum += f[++k]) {
    }
  } else {
    const double mean = double(n * m) / 2, width = std::sqrt(double(n * m) * double(n + m + 1) / 12);
    double z = 0, high = 10;  // of the level, by bisection
    while (high - z > 1e-9) (normalTail((z + high) / 2) > 2 * level ? z : high) = (z + high) / 2;
    k = std::size_t(std::max(0.0, std::floor(mean - z * width)));
  }
  if (k > 0) {
    test.low = ratios[k - 1];
    test.high = ratios[ratios.size() - k];
  }
  return test;
}

std::vector<double> holmCorrected(std::span<const double> p) {
  std::vector<double> known(p.begin(), p.end());
  std::replace_if(
      known.begin(), known.end(), [](double q) { return std::isnan(q); }, 1.0);
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return known[a] < known[b]; });
  std::vector<double> corrected(p.size());
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, double(p.size() - i) * known[order[i]]));
    corrected[order[i]] = least;
  }
  return corrected;
}

}  // namespace spokelab
