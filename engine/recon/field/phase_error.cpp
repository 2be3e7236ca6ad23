#include "engine/recon/field/phase_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::size_t maxSampled = 1 << 15;   // samples
constexpr std::int64_t maxTerms = 3'000'000;  // pairs of pixels times samples
constexpr std::int64_t minRows = 2, maxRows = 96;
constexpr int reach = 2;  // neighbours: so many pixels away at most, in each dimension
constexpr std::int64_t maxNear = 12, maxFar = 12;  // columns of a row
constexpr unsigned seed = 5;

struct Column {
  std::int64_t pixel = 0;
  double weight = 1;  // columns that it stands for
};

std::array<std::int64_t, 3> placeOf(std::int64_t pixel, const Index3& matrix) {
  return {pixel % matrix[0], pixel / matrix[0] % matrix[1], pixel / matrix[0] / matrix[1]};
}

// The pixel itself, some of its neighbours, and some others.
std::vector<Column> columnsOf(std::int64_t row, const GdftProblem& problem, std::mt19937& random) {
  const auto at = placeOf(row, problem.matrix);
  std::vector<std::int64_t> near;
  const int reachY = problem.dims > 1 ? reach : 0, reachZ = problem.dims > 2 ? reach : 0;
  for (int z = -reachZ; z <= reachZ; ++z)
    for (int y = -reachY; y <= reachY; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const std::array<std::int64_t, 3> other = {at[0] + x, at[1] + y, at[2] + z};
        bool inside = x || y || z;
        for (std::size_t d = 0; d < other.size(); ++d)
          inside = inside && other[d] >= 0 && other[d] < problem.matrix[d];
        if (inside) near.push_back(other[0] + problem.matrix[0] * (other[1] + problem.matrix[1] * other[2]));
      }
  const auto isNear = [&](std::int64_t p) { return std::find(near.begin(), near.end(), p) != near.end(); };
  const std::int64_t pixels = problem.pixels();
  std::vector<Column> columns = {{row, 1}};
  const auto others = double(pixels - 1 - std::int64_t(near.size()));
  const auto nearTaken = std::min<std::int64_t>(std::int64_t(near.size()), maxNear);
  std::vector<std::int64_t> shuffled = near;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  for (std::int64_t i = 0; i < nearTaken; ++i)
    columns.push_back({shuffled[std::size_t(i)], double(near.size()) / double(nearTaken)});
  std::uniform_int_distribution<std::int64_t> any(0, pixels - 1);
  for (std::int64_t i = 0; i < maxFar && others >= 1; ++i) {
    std::int64_t p = any(random);
    while (p == row || isNear(p)) p = any(random);
    columns.push_back({p, others / double(maxFar)});
  }
  return columns;
}

std::vector<std::size_t> sampledOf(std::size_t count, std::mt19937& random) {
  std::vector<std::size_t> taken(std::min(count, maxSampled));
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = i;
  if (count > maxSampled)
    for (std::size_t& j : taken) j = std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  return taken;
}

}  // namespace

double errorWithoutField(const GdftProblem& problem) {
  if (problem.times.empty()) return 0;
  constexpr std::size_t draws = 1 << 14;
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> pixel(0, problem.pixels() - 1),
      sample(0, problem.samples() - 1);
  double squares = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto n = std::size_t(pixel(random));
    const double t = problem.times[std::size_t(sample(random))];
    const double phase = problem.field.empty() ? 0 : problem.field[n] * t,
                 decay = problem.decay.empty() ? 0 : problem.decay[n] * t;
    squares += std::norm(std::polar(std::exp(-decay), -phase) - 1.0);
  }
  return std::sqrt(squares / double(draws));
}

double predictPhaseError(const GdftProblem& problem, std::span<const double> weights, const Segmentation& s,
                         bool differences, int threads) {
  std::mt19937 random(seed);
  const std::int64_t pixels = problem.pixels(), samples = problem.samples();
  const std::vector<std::size_t> taken = sampledOf(std::size_t(samples), random);
  const std::int64_t perRow = (1 + maxNear + maxFar) * std::int64_t(taken.size());
  const std::int64_t rows = std::clamp(maxTerms / std::max<std::int64_t>(1, perRow), minRows, maxRows);
  struct Pair {
    std::int64_t row;
    Column column;
  };
  std::vector<Pair> pairs;
  std::uniform_int_distribution<std::int64_t> pixel(0, pixels - 1);
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t row = pixel(random);
    for (const Column& column : columnsOf(row, problem, random)) pairs.push_back({row, column});
  }
  const auto segments = std::size_t(s.segments);
  const auto value = [&](const std::vector<cdouble>& factors, std::size_t l, std::int64_t at) {
    return factors[l * std::size_t(factors.size() / segments) + std::size_t(at)];
  };
  std::vector<double> error(pairs.size()), norm(pairs.size());
  parallelTasks(std::int64_t(pairs.size()), threads, [&](std::int64_t i) {
    const auto& [n, column] = pairs[std::size_t(i)];
    const std::int64_t m = column.pixel;
    const auto from = placeOf(n, problem.matrix), to = placeOf(m, problem.matrix);
    std::vector<cdouble> product(segments), first(segments), second(segments);
    for (std::size_t l = 0; l < segments; ++l) {
      first[l] = std::conj(value(s.spatial, l, n));
      second[l] = value(s.spatial, l, m);
      product[l] = first[l] * second[l];
    }
    cdouble wrong = 0, right = 0;
    for (const std::size_t j : taken) {
      double turns = 0;
      for (std::size_t d = 0; d < std::size_t(problem.dims); ++d)
        turns += problem.points[j * std::size_t(problem.dims) + d] * double(from[d] - to[d]) /
                 double(problem.matrix[d]);
      const double difference = problem.field[std::size_t(n)] - problem.field[std::size_t(m)];
      const cdouble exact = std::polar(1.0, difference * problem.times[j]);
      cdouble approximate = 0;
      if (differences) {
        for (std::size_t l = 0; l < segments; ++l)
          approximate += value(s.temporal, l, std::int64_t(j)).real() * product[l];
      } else {
        cdouble a = 0, b = 0;
        for (std::size_t l = 0; l < segments; ++l) {
          const cdouble factor = value(s.temporal, l, std::int64_t(j));
          a += std::conj(factor) * first[l];
          b += factor * second[l];
        }
        approximate = a * b;
      }
      const cdouble wave = std::polar(weights.empty() ? 1.0 : weights[j],
                                      2 * std::numbers::pi * (turns - std::nearbyint(turns)));
      wrong += wave * (approximate - exact);
      right += wave * exact;
    }
    error[std::size_t(i)] = column.weight * std::norm(wrong);
    norm[std::size_t(i)] = column.weight * std::norm(right);
  });
  double errors = 0, norms = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    errors += error[i];
    norms += norm[i];
  }
  return norms > 0 ? std::sqrt(errors / norms) : 0;
}

}  // namespace spokelab
