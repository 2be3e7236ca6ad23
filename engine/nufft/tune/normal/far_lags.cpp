#include "engine/nufft/tune/normal/far_lags.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab {
namespace {

constexpr std::size_t maxSampled = 1 << 14;  // points
constexpr std::size_t maxTerms = 1 << 17;    // points times lines
constexpr std::int64_t minLines = 8, maxLines = 128;
constexpr std::int64_t maxLagsOfLine = 1 << 13;
constexpr double lineAccuracy = 1e-3;  // relative, for the powers
constexpr unsigned seed = 8;           // fixed: predictions repeat exactly

// The mean over all entries: count - |i| of them have lag i.
template <class Values>
Values meanOverLags(const std::vector<Values>& values, std::int64_t count) {
  Values mean{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double entries = double(count - std::abs(std::int64_t(i) - (count - 1)));
    for (std::size_t v = 0; v < mean.size(); ++v)
      mean[v] += entries * values[i][v] / (double(count) * double(count));
  }
  return mean;
}

// Re a conj b.
float scalarProduct(cfloat a, cfloat b) {
  return a.real() * b.real() + a.imag() * b.imag();
}

// e^{2 pi i p G k_d} at each point.
using PhasesOfOrders = std::array<std::vector<cfloat>, aliasCount>;
PhasesOfOrders phasesOfOrders(const std::vector<double>& points, std::size_t dims, std::size_t d,
                              std::int64_t grid) {
  const std::size_t count = points.size() / dims;
  PhasesOfOrders phases;
  for (std::vector<cfloat>& order : phases) order.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const cfloat first(phaseOfTurns(double(grid) * points[j * dims + d]));
    cfloat phase = 1;
    for (std::size_t p = 0; p < aliasCount; p += 2) {
      phase = product(phase, first);
      phases[p][j] = phase;
      phases[p + 1][j] = std::conj(phase);
    }
  }
  return phases;
}

}  // namespace

std::size_t AliasFactors::indexOf(double lag) const {
  const auto i = std::clamp(std::int64_t(std::nearbyint(lag / step)), 1 - count, count - 1);
  return std::size_t(i + count - 1);
}

AliasFactors::Mean AliasFactors::meanOfAll() const {
  return meanOverLags(mean, count);
}
AliasFactors::Products AliasFactors::meanProducts() const {
  return meanOverLags(products, count);
}

FarLags::FarLags(const NufftProblem& problem, std::span<const double> points, std::span<const double> weights,
                 int threads)
    : problem_(problem), threads_(threads) {
  const auto dims = std::size_t(problem.dims);
  const std::size_t count = points.size() / dims;
  for (std::size_t j = 0; j < count; ++j) squares_ += weights.empty() ? 1 : weights[j] * weights[j];
  std::mt19937 random(seed);
  const std::size_t sampleCount = std::min(count, maxSampled);
  part_ = count > 0 ? double(sampleCount) / double(count) : 1;
  for (std::size_t i = 0; i < sampleCount; ++i) {
    const std::size_t j =
        sampleCount == count ? i : std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    points_.insert(points_.end(), points.begin() + std::ptrdiff_t(j * dims),
                   points.begin() + std::ptrdiff_t((j + 1) * dims));
    weights_.push_back(weights.empty() ? 1 : weights[j]);
  }
}

// Lines are made once for a dimension and the grid's lengths from it on. Fills lines_: one thread.
const FarLags::Lines& FarLags::along(int dim, const Index3& grid) const {
  std::array<std::int64_t, 4> key = {dim, 0, 0, 0};
  for (int d = dim; d < problem_.dims; ++d) key[std::size_t(d) + 1] = grid[d];
  const auto [place, isNew] = lines_.try_emplace(key);
  if (!isNew) return place->second;
  Lines& lines = place->second;
  const std::int64_t n = problem_.size[std::size_t(dim)], lags = 2 * n - 1;
  std::mt19937 random(seed);
  lines.pixels = n;
  lines.stride = (lags + maxLagsOfLine - 1) / maxLagsOfLine;
  lines.first = 1 - n + std::uniform_int_distribution<std::int64_t>(0, lines.stride - 1)(random);
  lines.length = (n - 1 - lines.first) / lines.stride + 1;
  const std::size_t count = weights_.size();
  if (count == 0) return lines;
  lines.across =
      linesAcross(problem_, dim, std::clamp(std::int64_t(maxTerms / count), minLines, maxLines), random);
  addSums(dim, grid, lines);
  double power = 0;
  const auto& sums = lines.sums[std::size_t(dim)];
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t i = 0; i < sums[p].size(); ++i)
      power += lines.across[i / std::size_t(lines.length)].share * double(std::norm(sums[p][i]));
  lines.mean = power / double(2 * lines.length);
  if (part_ == 1) return lines;
  // With N of M points drawn with replacement and part = N / M, the mean of |sum|^2 is part^2 |q|^2
  // + part sum w^2. If it does not differ significantly from the mean of incoherent points, whose
  // |q|^2 is sum w^2, that value is taken.
  constexpr double significance = 3;
  // |q|^2 of incoherent points is distributed exponentially: its deviation equals its mean.
  const double scatter = lines.mean / std::sqrt(double(2 * sums[0].size()));
  lines.isCoherent = std::abs(lines.mean - part_ * (1 + part_) * squares_) > significance * scatter;
  lines.mean = lines.isCoherent ? (lines.mean - part_ * squares_) / (part_ * part_) : squares_;
  return lines;
}

void FarLags::addSums(int dim, const Index3& grid, Lines& lines) const {
  const std::size_t count = weights_.size(), dims = std::size_t(problem_.dims);
  NufftProblem transform;
  transform.dims = 1;
  transform.size = {lines.length, 1, 1};
  transform.batch = std::int64_t(lines.across.size());
  NufftOptions options;
  options.accuracy = lineAccuracy;
  options.threads = threads_;
  const auto plan = makeCpuNufftFloat(transform, options);
  std::vector<double> along(count);
  for (std::size_t j = 0; j < count; ++j) {
    const double turns = double(lines.stride) * points_[j * dims + std::size_t(dim)];
    along[j] = turns - std::nearbyint(turns);
  }
  plan->setPoints(along);
  // Weights with the phases of the line's middle lag; the transform adds those of the other lags.
  std::vector<cfloat> near(count * lines.across.size()), samples(near.size());
  parallelTasks(std::int64_t(lines.across.size()), threads_, [&](std::int64_t i) {
    std::array<double, 3> lag = lines.across[std::size_t(i)].lag;
    lag[std::size_t(dim)] = lines.lag(lines.length / 2);
    for (std::size_t j = 0; j < count; ++j) {
      double turns = 0;
      for (std::size_t d = 0; d < dims; ++d) turns += lag[d] * points_[j * dims + d];
      near[std::size_t(i) * count + j] = float(weights_[j]) * cfloat(phaseOfTurns(turns));
    }
  });
  PhasesOfOrders own;
  for (std::size_t e = std::size_t(dim); e < dims; ++e) {
    const PhasesOfOrders turned = phasesOfOrders(points_, dims, e, grid[e]);
    if (e == std::size_t(dim)) own = turned;
    for (std::size_t p = 0; p < aliasCount; ++p) {
      parallelTasks(std::int64_t(lines.across.size()), threads_, [&](std::int64_t i) {
        for (std::size_t j = 0, at = std::size_t(i) * count; j < count; ++j, ++at)
          samples[at] = product(near[at], turned[p][j]);
      });
      std::vector<cfloat>& sums = lines.sums[e][p];
      sums.resize(std::size_t(lines.length) * lines.across.size());
      plan->adjoint(samples.data(), sums.data());
    }
    // Products of the aliases of incoherent points: only terms of a point with itself remain.
    for (std::size_t p = 0; p < aliasCount; ++p)
      for (std::size_t q = 0; q < aliasCount; ++q) {
        double sum = 0;
        for (std::size_t j = 0; j < count; ++j)
          sum += weights_[j] * weights_[j] * double(scalarProduct(own[p][j], turned[q][j]));
        lines.random[e][p * aliasCount + q] = sum / part_;
      }
  }
}

double FarLags::meanPower(const Index3& grid, int dim) const {
  return along(dim, grid).mean;
}

double FarLags::aliasPower(const Index3& grid, std::span<const AliasFactors> factors) const {
  if (weights_.empty()) return 0;
  double power = 0;
  // |E|^2 is a sum over pairs (a, b) of dimensions, along the smaller one.
  for (int a = 0; a < problem_.dims; ++a)
    for (int b = a; b < problem_.dims; ++b) {
      const Lines& lines = along(a, grid);
      const double random = sumOfRandomPoints(lines, a, b, factors);
      double sum = random;
      if (lines.isCoherent && along(b, grid).isCoherent) {
        sum = a == b ? sumAlong(lines, a, factors[std::size_t(a)]) : sumAcross(lines, a, b, factors);
        // The drawn points' terms with themselves are part * random; the rest is scaled to all.
        if (part_ < 1) sum = (sum - part_ * random) / (part_ * part_);
      }
      power += (a == b ? 1 : 2) * sum;
    }
  return power;
}
double FarLags::sumAlong(const Lines& lines, int dim, const AliasFactors& factors) {
  const auto& sums = lines.sums[std::size_t(dim)];
  double sum = 0;
  for (std::size_t i = 0; i < lines.across.size(); ++i)
    for (std::int64_t l = 0; l < lines.length; ++l) {
      const std::size_t at = i * std::size_t(lines.length) + std::size_t(l);
      const AliasFactors::Products& products = factors.products[factors.indexOf(lines.lag(l))];
      double power = 0;
      for (std::size_t p = 0; p < aliasCount; ++p) {
        power += products[p * (aliasCount + 1)] * double(std::norm(sums[p][at]));
        for (std::size_t q = p + 1; q < aliasCount; ++q)
          power += 2 * products[p * aliasCount + q] * double(scalarProduct(sums[p][at], sums[q][at]));
      }
      sum += lines.across[i].share * lines.share(l) * power;
    }
  return sum;
}

// Positions along a and along b are independent: the mean of products is the product of means.
double FarLags::sumAcross(const Lines& lines, int a, int b, std::span<const AliasFactors> factors) {
  const auto& ofA = lines.sums[std::size_t(a)];
  const auto& ofB = lines.sums[std::size_t(b)];
  const AliasFactors &alongA = factors[std::size_t(a)], &alongB = factors[std::size_t(b)];
  double sum = 0;
  for (std::size_t i = 0; i < lines.across.size(); ++i) {
    const AliasFactors::Mean& meanB = alongB.mean[alongB.indexOf(lines.across[i].lag[std::size_t(b)])];
    for (std::int64_t l = 0; l < lines.length; ++l) {
      const std::size_t at = i * std::size_t(lines.length) + std::size_t(l);
      const AliasFactors::Mean& meanA = alongA.mean[alongA.indexOf(lines.lag(l))];
      cdouble errorA = 0, errorB = 0;
      for (std::size_t p = 0; p < aliasCount; ++p) {
        errorA += meanA[p] * cdouble(ofA[p][at]);
        errorB += meanB[p] * cdouble(ofB[p][at]);
      }
      sum += lines.across[i].share * lines.share(l) * std::real(errorA * std::conj(errorB));
    }
  }
  return sum;
}

double FarLags::sumOfRandomPoints(const Lines& lines, int a, int b, std::span<const AliasFactors> factors) {
  AliasFactors::Products products = factors[std::size_t(a)].meanProducts();
  if (a != b) {
    const AliasFactors::Mean meanA = factors[std::size_t(a)].meanOfAll(),
                             meanB = factors[std::size_t(b)].meanOfAll();
    for (std::size_t p = 0; p < aliasCount; ++p)
      for (std::size_t q = 0; q < aliasCount; ++q) products[p * aliasCount + q] = meanA[p] * meanB[q];
  }
  return std::inner_product(products.begin(), products.end(), lines.random[std::size_t(b)].begin(), 0.0);
}

}  // namespace spokelab
