#include "engine/nufft/tune/normal/far_lags.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab {
namespace {

constexpr std::size_t maxSampled = 1 << 14;  // points
constexpr std::size_t maxTerms = 1 << 18;    // points times lines
constexpr std::int64_t minLines = 8, maxLines = 128;
constexpr std::int64_t maxLagsOfLine = 1 << 13;
constexpr double lineAccuracy = 1e-3;  // of the powers
constexpr unsigned seed = 8;

using Lag = std::array<double, 3>;

// A line of lags along one dimension: where it lies in the others, and its share of all.
struct Across {
  Lag lag{};
  double share = 1;
};

// The dimensions across `dim`.
std::vector<std::size_t> dimsAcross(const NufftProblem& problem, int dim) {
  std::vector<std::size_t> others;
  for (int d = 0; d < problem.dims; ++d)
    if (d != dim) others.push_back(std::size_t(d));
  return others;
}

std::vector<Across> allLines(const NufftProblem& problem, const std::vector<std::size_t>& others) {
  std::vector<Across> lines{Across{}};
  for (const std::size_t d : others) {
    const std::int64_t n = problem.size[d];
    std::vector<Across> more;
    for (const Across& line : lines)
      for (std::int64_t l = 1 - n; l < n; ++l) {
        more.push_back(line);
        more.back().lag[d] = double(l);
        more.back().share *= double(n - std::abs(l)) / double(n * n);
      }
    lines = std::move(more);
  }
  return lines;
}

// Lags of one dimension that are drawn together: [from, to] and their negatives. Samples near a grid or on parallel planes
// are coherent at a lag of 0, radial ones around it: of all pairs these are too few to be met.
struct Zone {
  std::int64_t from = 0, to = 0;
  double share = 0;  // of all pairs of pixels
};

std::vector<Zone> zonesOf(std::int64_t n) {
  constexpr std::int64_t nearPart = 8;
  std::vector<Zone> zones = {{0, 0}};
  const std::int64_t near = std::max<std::int64_t>(1, n / nearPart);
  if (n > 1) zones.push_back({1, std::min(near, n - 1)});
  if (n > near + 1) zones.push_back({near + 1, n - 1});
  for (Zone& zone : zones)
    for (std::int64_t l = zone.from; l <= zone.to; ++l)
      zone.share += (l > 0 ? 2 : 1) * double(n - l) / double(n * n);
  return zones;
}

// A lag of the zone, as frequent as its pairs of pixels.
std::int64_t lagIn(const Zone& zone, std::int64_t n, std::mt19937& random) {
  std::uniform_int_distribution<std::int64_t> lag(zone.from, zone.to), pixel(0, n - zone.from - 1);
  std::int64_t l = lag(random);
  while (pixel(random) >= n - l) l = lag(random);
  return random() & 1U ? l : -l;
}

std::vector<Across> someLines(const NufftProblem& problem, const std::vector<std::size_t>& others,
                              std::int64_t count, std::mt19937& random) {
  std::vector<std::vector<Zone>> kinds{{}};  // a zone for each of the dimensions
  for (const std::size_t d : others) {
    std::vector<std::vector<Zone>> more;
    for (const std::vector<Zone>& kind : kinds)
      for (const Zone& zone : zonesOf(problem.size[d])) {
        more.push_back(kind);
        more.back().push_back(zone);
      }
    kinds = std::move(more);
  }
  std::vector<Across> lines;
  for (const std::vector<Zone>& kind : kinds) {
    double share = 1;
    std::int64_t possible = 1;
    for (const Zone& zone : kind) {
      share *= zone.share;
      possible *= zone.to > 0 ? 2 * (zone.to - zone.from + 1) : 1;
    }
    const std::int64_t drawn =
        std::min(possible, std::max<std::int64_t>(1, count / std::int64_t(kinds.size())));
    for (std::int64_t i = 0; i < drawn; ++i) {
      Across line;
      line.share = share / double(drawn);
      for (std::size_t o = 0; o < others.size(); ++o)
        line.lag[others[o]] = double(lagIn(kind[o], problem.size[others[o]], random));
      lines.push_back(line);
    }
  }
  return lines;
}

std::vector<Across> linesAcross(const NufftProblem& problem, int dim, std::int64_t count,
                                std::mt19937& random) {
  const std::vector<std::size_t> others = dimsAcross(problem, dim);
  std::int64_t all = 1;
  for (const std::size_t d : others) all *= 2 * problem.size[d] - 1;
  return all <= count ? allLines(problem, others) : someLines(problem, others, count, random);
}

}  // namespace

FarLags::FarLags(const NufftProblem& problem, std::span<const double> points, std::span<const double> weights,
                 int threads)
    : problem_(problem), threads_(threads) {
  const auto dims = std::size_t(problem.dims);
  const std::size_t count = points.size() / dims;
  for (std::size_t j = 0; j < count; ++j) squares_ += weights.empty() ? 1 : weights[j] * weights[j];
  std::mt19937 random(seed);
  const std::size_t taken = std::min(count, maxSampled);
  part_ = count > 0 ? double(taken) / double(count) : 1;
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t j =
        taken == count ? i : std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    points_.insert(points_.end(), points.begin() + std::ptrdiff_t(j * dims),
                   points.begin() + std::ptrdiff_t((j + 1) * dims));
    weights_.push_back(weights.empty() ? 1 : weights[j]);
  }
}

const FarLags::Line& FarLags::along(int dim, std::int64_t grid) const {
  constexpr std::size_t manyPoints = 1 << 13;
  constexpr double gridsPerImage = 4;
  if (weights_.size() > manyPoints) {
    const double step = double(problem_.size[std::size_t(dim)]) / gridsPerImage;
    grid = std::int64_t(std::nearbyint(std::nearbyint(double(grid) / step) * step));
  }
  const auto [place, isNew] = lines_.try_emplace({dim, grid});
  if (isNew) place->second = lineOf(dim, grid);
  return place->second;
}

FarLags::Line FarLags::lineOf(int dim, std::int64_t grid) const {
  const std::int64_t n = problem_.size[std::size_t(dim)], lags = 2 * n - 1;
  std::mt19937 random(seed);
  Line line;
  line.stride = (lags + maxLagsOfLine - 1) / maxLagsOfLine;
  line.first = 1 - n + std::uniform_int_distribution<std::int64_t>(0, line.stride - 1)(random);
  line.power.assign(std::size_t((n - 1 - line.first) / line.stride + 1), 0.0);
  const std::size_t count = weights_.size(), dims = std::size_t(problem_.dims);
  if (count == 0) return line;
  const std::vector<Across> across =
      linesAcross(problem_, dim, std::clamp(std::int64_t(maxTerms / count), minLines, maxLines), random);

  NufftProblem transform;
  transform.dims = 1;
  transform.size = {std::int64_t(line.power.size()), 1, 1};
  transform.batch = std::int64_t(across.size());
  NufftOptions options;
  options.accuracy = lineAccuracy;
  options.threads = threads_;
  const auto plan = makeCpuNufftFloat(transform, options);
  std::vector<double> along(count);
  for (std::size_t j = 0; j < count; ++j) {
    const double turns = double(line.stride) * points_[j * dims + std::size_t(dim)];
    along[j] = turns - std::nearbyint(turns);
  }
  plan->setPoints(along);
  std::vector<cfloat> samples(count * across.size()), sums(line.power.size() * across.size());
  const std::int64_t middle = grid + line.first + line.stride * (std::int64_t(line.power.size()) / 2);
  parallelTasks(std::int64_t(across.size()), threads_, [&](std::int64_t i) {
    Lag lag = across[std::size_t(i)].lag;
    lag[std::size_t(dim)] = double(middle);
    for (std::size_t j = 0; j < count; ++j) {
      double turns = 0;
      for (std::size_t d = 0; d < dims; ++d) turns += lag[d] * points_[j * dims + d];
      samples[std::size_t(i) * count + j] =
          cfloat(std::polar(weights_[j], 2 * std::numbers::pi * (turns - std::nearbyint(turns))));
    }
  });
  plan->adjoint(samples.data(), sums.data());
  double mean = 0;
  for (std::size_t i = 0; i < across.size(); ++i)
    for (std::size_t l = 0; l < line.power.size(); ++l) {
      const double power = across[i].share * double(std::norm(sums[i * line.power.size() + l]));
      line.power[l] += power;
      mean += power / double(line.power.size());
    }
  if (part_ == 1) return line;
  // The sum over points that are drawn from all has the mean part^2 |q|^2 + part sum w^2. Where that cannot be told from
  // what incoherent terms give, |q|^2 is sum w^2.
  constexpr double significance = 3;
  const double scatter = mean / std::sqrt(double(sums.size()));
  const bool coherent = std::abs(mean - part_ * (1 + part_) * squares_) > significance * scatter;
  for (double& p : line.power) p = coherent ? (p - part_ * squares_) / (part_ * part_) : squares_;
  return line;
}

}  // namespace spokelab
