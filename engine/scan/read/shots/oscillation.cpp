#include "engine/scan/read/shots/oscillation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/hermitian.h"

namespace spokelab {
namespace {

constexpr std::size_t maxCourses = 4, maxDelays = 96, maxComponents = 12;
constexpr double stepsOfShortest = 6;     // samples of the shortest period, after averaging
constexpr double windowsOfLongest = 1.5;  // delays cover the longest period as often
constexpr double samePeriod = 0.2;        // of a pair, relative

using Rows = std::vector<std::vector<double>>;

std::vector<double> averaged(const std::vector<double>& values, std::size_t together) {
  std::vector<double> means;
  for (std::size_t i = 0; i + together <= values.size(); i += together) {
    double sum = 0;
    for (std::size_t j = 0; j < together; ++j) sum += values[i + j];
    means.push_back(sum / double(together));
  }
  return means;
}

// a^T b for rows of values: [row of a, row of b].
std::vector<cdouble> products(const Rows& rows) {
  const std::size_t n = rows.size();
  std::vector<cdouble> all(n * n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < rows[a].size(); ++i) sum += rows[a][i] * rows[b][i];
      all[a * n + b] = all[b * n + a] = sum;
    }
  return all;
}

// The vector's combination of rows; a vector of a real matrix is made real first.
std::vector<double> combined(const Rows& rows, const cdouble* vector) {
  std::size_t strongest = 0;
  for (std::size_t r = 1; r < rows.size(); ++r)
    if (std::abs(vector[r]) > std::abs(vector[strongest])) strongest = r;
  const cdouble turn = std::conj(vector[strongest]) / std::abs(vector[strongest]);
  std::vector<double> sum(rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double weight = (turn * vector[r]).real();
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * rows[r][i];
  }
  return sum;
}

// The strongest principal components of the courses: fewer rows, the same motion.
Rows principal(const Rows& courses) {
  const HermitianEigen eigen = hermitianEigen(products(courses), int(courses.size()));
  Rows rows;
  for (std::size_t k = 0; k < std::min(maxCourses, courses.size()); ++k)
    rows.push_back(combined(courses, eigen.vectors.data() + k * courses.size()));
  return rows;
}

// Each row with its delays, zero beyond its ends.
Rows delayed(const Rows& rows, std::size_t delays) {
  Rows delayedRows;
  for (const std::vector<double>& row : rows)
    for (std::size_t w = 0; w < delays; ++w) {
      std::vector<double>& shifted = delayedRows.emplace_back(row.size());
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t from = i + w;
        if (from >= delays / 2 && from - delays / 2 < row.size()) shifted[i] = row[from - delays / 2];
      }
    }
  return delayedRows;
}

// The period, in steps, at which the values' spectrum is largest.
double strongestPeriod(const std::vector<double>& values) {
  const double n = double(values.size());
  double best = 0, period = 0;
  constexpr double finer = 0.5;  // of the spectrum's own resolution
  for (double cycles = 1; cycles < n / 2; cycles += finer) {
    cdouble sum = 0;
    const cdouble turn = std::polar(1.0, -2 * std::numbers::pi * cycles / n);
    cdouble at = 1;
    for (const double v : values) sum += v * at, at *= turn;
    if (std::norm(sum) > best) best = std::norm(sum), period = n / cycles;
  }
  return period;
}

// Values at the middles of groups of `together` times, at all times by straight lines.
std::vector<double> spread(const std::vector<double>& means, std::size_t together, std::size_t count) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = std::clamp((double(i) + 0.5) / double(together) - 0.5, 0.0, double(means.size() - 1));
    const auto left = std::min(std::size_t(at), means.size() - 2);
    all.push_back(means[left] + (at - double(left)) * (means[left + 1] - means[left]));
  }
  return all;
}

}  // namespace

Oscillation findOscillation(const Rows& courses, const std::vector<double>& times, const PeriodRange& range) {
  Oscillation result;
  const std::size_t count = times.size();
  if (count < 2 || courses.empty()) return result;
  const double step = (times.back() - times.front()) / double(count - 1);
  const auto together = std::max<std::size_t>(1, std::size_t(range.shortest / stepsOfShortest / step));
  Rows coarse;
  for (const std::vector<double>& row : principal(courses)) coarse.push_back(averaged(row, together));
  const std::size_t length = coarse.front().size();
  const double coarseStep = step * double(together);
  const std::size_t delays =
      std::min({maxDelays, length / 2, std::size_t(windowsOfLongest * range.longest / coarseStep)});
  constexpr std::size_t minDelays = 4;
  if (delays < minDelays) return result;
  const Rows all = delayed(coarse, delays);
  const HermitianEigen eigen = hermitianEigen(products(all), int(all.size()));
  double total = 0;
  for (const double value : eigen.values) total += std::max(0.0, value);
  if (!(total > 0)) return result;
  std::vector<double> periods;
  Rows components;
  for (std::size_t k = 0; k < std::min(maxComponents, all.size()); ++k) {
    components.push_back(combined(all, eigen.vectors.data() + k * all.size()));
    periods.push_back(strongestPeriod(components.back()) * coarseStep);
  }
  for (std::size_t k = 0; k < periods.size() && !result.found; ++k) {
    if (periods[k] < range.shortest || periods[k] > range.longest) continue;
    for (std::size_t j = k + 1; j < periods.size() && !result.found; ++j) {
      if (std::abs(periods[j] / periods[k] - 1) > samePeriod) continue;
      result.found = true;
      result.period = (periods[k] + periods[j]) / 2;
      result.share = (eigen.values[k] + eigen.values[j]) / total;
      const double ratio = std::sqrt(eigen.values[k] / eigen.values[j]);
      for (double& v : components[j]) v *= ratio;
      // A phase grows in time.
      double turns = 0;
      for (std::size_t i = 1; i < length; ++i)
        turns += components[k][i - 1] * components[j][i] - components[j][i - 1] * components[k][i];
      for (double& v : components[j]) v *= turns < 0 ? -1 : 1;
      result.first = spread(components[k], together, count);
      result.second = spread(components[j], together, count);
    }
  }
  return result;
}

std::vector<double> phasesOf(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> phases;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double turns = std::atan2(second[i], first[i]) / (2 * std::numbers::pi);
    phases.push_back(turns - std::floor(turns));
  }
  return phases;
}

}  // namespace spokelab
