#include "engine/recon/sense/dual/kspace_preconditioner.h"

#include <algorithm>
#include <cmath>

#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/plan.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {
namespace {

// Pixels along an axis of the maps that R_c is made from.
constexpr std::int64_t coarseSide2d = 32, coarseSide3d = 12;
constexpr double preconditionerAccuracy = 1e-2;
constexpr double minShare = 1e-3;  // of the mean denominator: interpolation may pass through 0

// The means of a map over boxes: [coil, pixel] of the first set.
struct CoarseMaps {
  Index3 size{1, 1, 1};
  std::vector<cdouble> values;
  std::int64_t coils = 0;
};

CoarseMaps coarse(const SenseProblem& problem) {
  const std::vector<cfloat> maps = hostMaps(problem);
  CoarseMaps result;
  const std::int64_t side = problem.dims < 3 ? coarseSide2d : coarseSide3d;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d)
    result.size[d] = std::min(side, problem.matrix[d]);
  result.coils = std::int64_t(problem.coils.size());
  const Index3 n = problem.matrix;
  const std::int64_t fine = product(n), few = product(result.size);
  result.values.assign(std::size_t(result.coils * few), cdouble(0));
  std::vector<double> counts(std::size_t(few), 0.0);
  for (std::int64_t i = 0; i < fine; ++i) {
    const Index3 at{i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
    std::int64_t box = 0;
    for (std::size_t d = 3; d-- > 0;) box = box * result.size[d] + at[d] * result.size[d] / n[d];
    counts[std::size_t(box)] += 1;
    for (std::int64_t c = 0; c < result.coils; ++c)
      result.values[std::size_t(c * few + box)] += cdouble(maps[std::size_t(c * fine + i)]);
  }
  for (std::int64_t c = 0; c < result.coils; ++c)
    for (std::int64_t b = 0; b < few; ++b) result.values[std::size_t(c * few + b)] /= counts[std::size_t(b)];
  return result;
}

// R_c over |S_c|^2 at the lags of coarse maps, [z, y, x], 2 size - 1 an axis; empty: the coil is.
class Correlations {
 public:
  explicit Correlations(CoarseMaps maps) : maps_(std::move(maps)), pixels_(product(maps_.size)) {
    for (std::size_t d = 0; d < 3; ++d) lags_[d] = 2 * maps_.size[d] - 1;
    gram_.resize(std::size_t(pixels_ * pixels_));
    parallelFor(pixels_, 0, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n)
        for (std::int64_t m = 0; m < pixels_; ++m) {
          cdouble sum = 0;
          for (std::int64_t c = 0; c < maps_.coils; ++c) sum += std::conj(at(c, n)) * at(c, m);
          gram_[std::size_t(n * pixels_ + m)] = sum;
        }
    });
  }
  const Index3& lags() const { return lags_; }
  const Index3& size() const { return maps_.size; }

  std::vector<cdouble> of(std::int64_t coil) const {
    double energy = 0;
    for (std::int64_t n = 0; n < pixels_; ++n) energy += std::norm(at(coil, n));
    if (energy == 0) return {};
    std::vector<cdouble> r(std::size_t(product(lags_)), cdouble(0));
    for (std::int64_t n = 0; n < pixels_; ++n)
      for (std::int64_t m = 0; m < pixels_; ++m)
        r[lag(n, m)] += at(coil, n) * std::conj(at(coil, m)) * gram_[std::size_t(n * pixels_ + m)] / energy;
    return r;
  }

 private:
  cdouble at(std::int64_t coil, std::int64_t pixel) const {
    return maps_.values[std::size_t(coil * pixels_ + pixel)];
  }
  std::size_t lag(std::int64_t n, std::int64_t m) const {
    const Index3& s = maps_.size;
    const auto along = [](std::int64_t a, std::int64_t b, std::int64_t length) { return a - b + length - 1; };
    const std::int64_t x = along(n % s[0], m % s[0], s[0]);
    const std::int64_t y = along(n / s[0] % s[1], m / s[0] % s[1], s[1]);
    const std::int64_t z = along(n / (s[0] * s[1]), m / (s[0] * s[1]), s[2]);
    return std::size_t(x + lags_[0] * (y + lags_[1] * z));
  }

  CoarseMaps maps_;
  std::int64_t pixels_;
  Index3 lags_{1, 1, 1};
  std::vector<cdouble> gram_;  // sum over coils of conj(S(n)) S(m)
};

// The two neighbours of a fine lag among coarse ones, and the share of the second. R is 0 beyond.
struct Between {
  std::int64_t first = 0;
  double share = 0;
};

std::vector<Between> betweens(std::int64_t fine, std::int64_t coarse) {
  std::vector<Between> all;
  for (std::int64_t i = -fine; i < fine; ++i) {
    const double place = double(i) * double(coarse) / double(fine) + double(coarse - 1);
    const auto first = std::int64_t(std::floor(place));
    all.push_back({first, place - double(first)});
  }
  return all;
}

}  // namespace

std::vector<double> kspacePreconditioner(const SenseProblem& problem, double total,
                                         const Progress& progress) {
  const Correlations correlations(coarse(problem));
  const auto dims = std::size_t(problem.dims);
  NufftProblem lags;
  lags.dims = problem.dims;
  for (std::size_t d = 0; d < dims; ++d) lags.size[d] = 2 * problem.matrix[d];
  NufftOptions options;
  options.accuracy = preconditionerAccuracy;
  options.threads = problem.nufft.threads;
  const auto plan = makeCpuNufftFloat(lags, options);
  PlanPoints points(std::span<const double>(problem.points.data(), problem.points.size()));
  for (std::size_t d = 0; d < dims; ++d) points.divisors[d] = double(problem.matrix[d]);
  plan->setPoints(points);
  const std::size_t count = problem.points.size() / dims;
  Buffer<cfloat> samples(count), spread(std::size_t(lags.pixels())), product(spread.size());
  for (std::size_t j = 0; j < count; ++j)
    samples[j] = float((problem.weights.empty() ? 1 : problem.weights[j]) / total);
  plan->adjoint(samples.data(), spread.data(), {});
  std::array<std::vector<Between>, 3> along{std::vector<Between>(1), std::vector<Between>(1),
                                            std::vector<Between>(1)};
  for (std::size_t d = 0; d < dims; ++d) along[d] = betweens(problem.matrix[d], correlations.size()[d]);
  const Index3 coarseLags = correlations.lags();
  const auto coils = std::int64_t(problem.coils.size());
  std::vector<double> p(std::size_t(coils) * count, 1);
  for (std::int64_t c = 0; c < coils; ++c) {
    progress.report(double(c) / double(coils), "Preconditioner");
    const std::vector<cdouble> r = correlations.of(c);
    if (r.empty()) continue;
    const std::int64_t lines = lags.size[1] * lags.size[2];
    parallelFor(lines, problem.nufft.threads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t line = begin; line < end; ++line) {
        const Between y = along[1][std::size_t(line % lags.size[1])],
                      z = along[2][std::size_t(line / lags.size[1])];
        for (std::int64_t i = 0; i < lags.size[0]; ++i) {
          const Between x = along[0][std::size_t(i)];
          cdouble value = 0;
          for (int corner = 0; corner < 8; ++corner) {
            double share = 1;
            std::int64_t at = 0;
            for (std::size_t d = 3; d-- > 0;) {
              const Between& b = d == 0 ? x : d == 1 ? y : z;
              const bool second = corner >> d & 1;
              const std::int64_t place = b.first + (second ? 1 : 0);
              share *= place < 0 || place >= coarseLags[d] ? 0 : second ? b.share : 1 - b.share;
              at = at * coarseLags[d] + place;
            }
            if (share > 0) value += share * r[std::size_t(at)];
          }
          const auto pixel = std::size_t(line * lags.size[0] + i);
          product[pixel] = cfloat(value) * spread[pixel];
        }
      }
    });
    plan->forward(product.data(), samples.data(), {});
    double mean = 0;
    for (const cfloat& s : samples) mean += double(std::abs(s)) / double(count);
    for (std::size_t j = 0; j < count; ++j)
      p[std::size_t(c) * count + j] = 1 / std::max(double(samples[j].real()), minShare * mean);
  }
  return p;
}

}  // namespace spokelab
