#include "engine/recon/field/phase_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::size_t maxSampled = 1 << 15;   // samples
constexpr std::int64_t maxTerms = 3'000'000;  // pairs of pixels times samples
constexpr std::int64_t minRows = 2, maxRows = 96;
// Largest number of a segment's products for which whole rows are looked at.
constexpr double maxProducts = 2e8;
constexpr std::int64_t wholeRows = 512;
constexpr int maxDraws = 16;
constexpr int reach = 2;                           // largest distance of neighbours in each dimension, pixels
constexpr std::int64_t maxNear = 12, maxFar = 12;  // columns of a row
constexpr unsigned phaseErrorSeed = 5;

struct Column {
  std::int64_t pixel = 0;
  double weight = 1;  // number of columns that it represents
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
  std::vector<std::size_t> indices(std::min(count, maxSampled));
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  if (count > maxSampled)
    for (std::size_t& j : indices) j = std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  return indices;
}

// Over some pairs of pixels.
double errorOfPairs(const GdftProblem& problem, std::span<const double> weights, const Segmentation& s,
                    bool differences, int threads) {
  std::mt19937 random(phaseErrorSeed);
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
      const double difference = problem.phaseAt(std::size_t(n), j) - problem.phaseAt(std::size_t(m), j);
      const cdouble exact = std::polar(1.0, difference);
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
      const cdouble wave = (weights.empty() ? 1.0 : weights[j]) * phaseOfTurns(turns);
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

// |E u|^2 and |N u|^2 at some rows.
struct Powers {
  double error = 0, norm = 0;
  Powers& operator+=(const Powers& o) {
    error += o.error;
    norm += o.norm;
    return *this;
  }
};
// N and its approximation, of some of the samples.
class PhaseProduct {
 public:
  PhaseProduct(const GdftProblem& problem, std::span<const double> weights, const Segmentation& s,
               bool differences, std::vector<std::size_t> taken, int draws, int threads)
      : problem_(problem),
        weights_(weights),
        s_(s),
        differences_(differences),
        samples_(std::move(taken)),
        segments_(std::size_t(s.segments)),
        draws_(std::size_t(draws)),
        threads_(threads),
        exact_(samples_.size() * draws_),
        approximate_(exact_.size() * segments_) {}

  // A u and its approximation: Ã u, or the parts that differences see. u: [draw][pixel].
  void forward(const std::vector<cdouble>& u) {
    const auto pixels = std::size_t(problem_.pixels());
    std::vector<Factor> factors;
    for (std::size_t m = 0; m < pixels; ++m)
      for (std::size_t l = 0; l < segments_; ++l) factors.emplace_back(spatial(l, std::int64_t(m)));
    parallelTasks(std::int64_t(samples_.size()), threads_, [&](std::int64_t task) {
      const auto i = std::size_t(task), j = samples_[i];
      std::vector<cdouble> exact(draws_);
      std::vector<Factor> parts(draws_ * segments_);
      for (std::size_t m = 0; m < pixels; ++m) {
        const cdouble turn = std::conj(wave(std::int64_t(m), j)),
                      phase = turn * std::polar(1.0, -problem_.phaseAt(m, j));
        for (std::size_t d = 0; d < draws_; ++d) {
          exact[d] += u[d * pixels + m] * phase;
          addProducts(u[d * pixels + m] * turn, &factors[m * segments_], &parts[d * segments_]);
        }
      }
      for (std::size_t d = 0; d < draws_; ++d) {
        const Factor* of = &parts[d * segments_];
        exact_[i * draws_ + d] = exact[d];
        cdouble sum = 0;
        for (std::size_t l = 0; l < segments_; ++l) sum += of[l].value() * temporal(l, j);
        for (std::size_t l = 0; l < segments_; ++l)
          approximate_[(i * draws_ + d) * segments_ + l] =
              weight(j) *
              (differences_ ? of[l].value() * temporal(l, j).real() : sum * std::conj(temporal(l, j)));
      }
    });
  }

  // The powers at one row of A^H W A u, all draws together.
  Powers row(std::int64_t n) const {
    std::vector<cdouble> right(draws_);
    std::vector<Factor> parts(draws_ * segments_);
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const std::size_t j = samples_[i];
      const cdouble turn = wave(n, j),
                    phase = weight(j) * turn * std::polar(1.0, problem_.phaseAt(std::size_t(n), j));
      for (std::size_t d = 0; d < draws_; ++d) {
        right[d] += phase * exact_[i * draws_ + d];
        addProducts(turn, &approximate_[(i * draws_ + d) * segments_], &parts[d * segments_]);
      }
    }
    Powers sum;
    for (std::size_t d = 0; d < draws_; ++d) {
      cdouble seen = 0;
      for (std::size_t l = 0; l < segments_; ++l)
        seen += std::conj(spatial(l, n)) * parts[d * segments_ + l].value();
      sum += {std::norm(seen - right[d]), std::norm(right[d])};
    }
    return sum;
  }

  Powers sumOf(std::span<const std::int64_t> rows) const {
    std::vector<Powers> each(rows.size());
    parallelTasks(std::int64_t(rows.size()), threads_,
                  [&](std::int64_t i) { each[std::size_t(i)] = row(rows[std::size_t(i)]); });
    Powers sum;
    for (const Powers& p : each) sum += p;
    return sum;
  }

 private:
  // A complex number whose product does not check for infinities, which would take longer.
  struct Factor {
    double real = 0, imag = 0;
    Factor() = default;
    Factor(const cdouble& v) : real(v.real()), imag(v.imag()) {}
    cdouble value() const { return {real, imag}; }
  };
  void addProducts(const cdouble& value, const Factor* factors, Factor* parts) const {
    const double real = value.real(), imag = value.imag();
    for (std::size_t l = 0; l < segments_; ++l) {
      parts[l].real += real * factors[l].real - imag * factors[l].imag;
      parts[l].imag += real * factors[l].imag + imag * factors[l].real;
    }
  }

  cdouble spatial(std::size_t l, std::int64_t n) const {
    return s_.spatial[l * std::size_t(problem_.pixels()) + std::size_t(n)];
  }
  cdouble temporal(std::size_t l, std::size_t j) const {
    return s_.temporal[l * std::size_t(problem_.samples()) + j];
  }
  double weight(std::size_t j) const { return weights_.empty() ? 1.0 : weights_[j]; }
  // e^{2 pi i k_j . r_n}
  cdouble wave(std::int64_t n, std::size_t j) const {
    const auto at = placeOf(n, problem_.matrix);
    double turns = 0;
    for (std::size_t d = 0; d < std::size_t(problem_.dims); ++d)
      turns +=
          problem_.points[j * std::size_t(problem_.dims) + d] * double(at[d]) / double(problem_.matrix[d]);
    return phaseOfTurns(turns);
  }

  const GdftProblem& problem_;
  std::span<const double> weights_;
  const Segmentation& s_;
  bool differences_;
  std::vector<std::size_t> samples_;
  std::size_t segments_, draws_;
  int threads_;
  std::vector<cdouble> exact_;       // [sample][draw]
  std::vector<Factor> approximate_;  // [sample][draw][segment]
};

// The relative error at some rows of E u and N u for random u.
double errorOfRows(const GdftProblem& problem, std::span<const double> weights, const Segmentation& s,
                   bool differences, int threads, int draws) {
  std::mt19937 random(phaseErrorSeed);
  std::normal_distribution<double> normal;
  std::vector<std::int64_t> pixels(std::size_t(problem.pixels()));
  std::iota(pixels.begin(), pixels.end(), std::int64_t(0));
  std::vector<cdouble> u(std::size_t(draws) * pixels.size());
  for (cdouble& v : u) v = {normal(random), normal(random)};
  PhaseProduct product(problem, weights, s, differences, sampledOf(std::size_t(problem.samples()), random),
                       draws, threads);
  product.forward(u);
  std::shuffle(pixels.begin(), pixels.end(), random);
  const Powers sum = product.sumOf(std::span(pixels).first(std::min(pixels.size(), std::size_t(wholeRows))));
  return sum.norm > 0 ? std::sqrt(sum.error / sum.norm) : 0;
}

}  // namespace

double errorWithoutField(const GdftProblem& problem) {
  if (problem.times.empty() && problem.forms.empty()) return 0;
  constexpr std::size_t draws = 1 << 14;
  std::mt19937 random(phaseErrorSeed);
  std::uniform_int_distribution<std::int64_t> pixel(0, problem.pixels() - 1),
      sample(0, problem.samples() - 1);
  double squares = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto n = std::size_t(pixel(random)), j = std::size_t(sample(random));
    const double decay = problem.decay.empty() ? 0 : problem.decay[n] * problem.times[j];
    squares += std::norm(std::polar(std::exp(-decay), -problem.phaseAt(n, j)) - 1.0);
  }
  return std::sqrt(squares / double(draws));
}

double errorWithoutIntravoxel(const GdftProblem& problem) {
  constexpr std::size_t draws = 1 << 14;
  std::mt19937 random(phaseErrorSeed);
  std::uniform_int_distribution<std::int64_t> pixel(0, problem.pixels() - 1),
      sample(0, problem.samples() - 1);
  const auto dims = std::size_t(problem.dims), pixels = std::size_t(problem.pixels());
  const bool acts = !problem.gradient.empty() && !problem.times.empty();
  double squares = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto n = std::size_t(pixel(random)), j = std::size_t(sample(random));
    double factor = 1;
    for (std::size_t d = 0; d < dims; ++d) {
      const double x = std::numbers::pi * (problem.points[j * dims + d] / double(problem.matrix[d]) +
                                           (acts ? problem.gradient[d * pixels + n] * problem.times[j] : 0));
      if (x != 0) factor *= std::sin(x) / x;
    }
    squares += (factor - 1) * (factor - 1);
  }
  return std::sqrt(squares / double(draws));
}

double predictPhaseError(const GdftProblem& problem, std::span<const double> weights, const Segmentation& s,
                         bool differences, int threads) {
  const double products = double(problem.pixels()) * double(problem.samples()) * double(s.segments);
  if (products > maxProducts) return errorOfPairs(problem, weights, s, differences, threads);
  const int draws = int(std::clamp(maxProducts / std::max(1.0, products), 1.0, double(maxDraws)));
  return errorOfRows(problem, weights, s, differences, threads, draws);
}

}  // namespace spokelab
