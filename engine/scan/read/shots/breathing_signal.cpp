#include "engine/scan/read/shots/breathing_signal.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"

namespace spokelab {
namespace {

constexpr double maxCentreDistance = 1;  // cycles/FOV
constexpr std::size_t minCentred = 8;

struct CentreSample {
  double shot;
  std::int64_t sample;
};

std::vector<CentreSample> centreSamples(const Trajectory& t) {
  std::vector<CentreSample> found;
  for (std::int64_t s = 0; s < t.shots(); ++s) {
    double least = maxCentreDistance * maxCentreDistance;
    std::int64_t nearest = -1;
    for (std::int64_t j = t.shotOffsets[std::size_t(s)]; j < t.shotOffsets[std::size_t(s) + 1]; ++j) {
      double square = 0;
      for (std::int64_t d = 0; d < t.dims; ++d)
        square += t.points[std::size_t(j * t.dims + d)] * t.points[std::size_t(j * t.dims + d)];
      if (square <= least && (nearest < 0 || square < least)) least = square, nearest = j;
    }
    if (nearest >= 0) found.push_back({double(s), nearest});
  }
  return found;
}

// Less the straight line that fits best.
void detrend(const std::vector<CentreSample>& places, std::vector<double>& values) {
  double count = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = places[i].shot, y = values[i];
    count += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx), start = (sy - slope * sx) / count;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= start + slope * places[i].shot;
}

// The running mean over three values takes away what changes from shot to shot.
std::vector<double> smoothed(const std::vector<double>& values) {
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i > 0 ? i - 1 : 0, last = std::min(i + 1, values.size() - 1);
    for (std::size_t j = first; j <= last; ++j) result[i] += values[j] / double(last - first + 1);
  }
  return result;
}

std::vector<double> atAllShots(const std::vector<CentreSample>& places, const std::vector<double>& values,
                               std::int64_t shots) {
  std::vector<double> all;
  std::size_t next = 0;
  for (std::int64_t s = 0; s < shots; ++s) {
    while (next < places.size() && places[next].shot < double(s)) ++next;
    if (next == 0 || next == places.size()) {
      all.push_back(next == 0 ? values.front() : values.back());
      continue;
    }
    const double before = places[next - 1].shot, share = (double(s) - before) / (places[next].shot - before);
    all.push_back((1 - share) * values[next - 1] + share * values[next]);
  }
  return all;
}

int risesThroughZero(const std::vector<double>& values) {
  int rises = 0;
  for (std::size_t i = 1; i < values.size(); ++i) rises += values[i - 1] < 0 && values[i] >= 0 ? 1 : 0;
  return rises;
}

}  // namespace

BreathingSignal breathingSignal(const Scan& scan, const std::string& problem) {
  const Trajectory& t = scan.trajectories.front();
  const std::vector<CentreSample> places = centreSamples(t);
  if (places.size() < minCentred)
    throw Error(problem,
                "breathing is seen at the centre of k-space, and " + std::to_string(places.size()) + " of " +
                    std::to_string(t.shots()) + " shots pass it",
                "Give the bin of each shot in a file (breathing = FILE)");
  std::vector<std::vector<double>> coils;
  for (int c = 0; c < scan.coils; ++c) {
    std::vector<double>& values = coils.emplace_back();
    for (const CentreSample& place : places)
      values.push_back(double(std::abs(scan.data(0, 0, c)[place.sample])));
    detrend(places, values);
    values = smoothed(values);
  }
  const auto n = std::size_t(scan.coils);
  std::vector<cdouble> covariance(n * n);
  double total = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < places.size(); ++i) sum += coils[a][i] * coils[b][i];
      covariance[a * n + b] = sum;
      if (a == b) total += sum;
    }
  if (!(total > 0) || !std::isfinite(total))
    throw Error(problem, "the samples at the centre of k-space do not change from shot to shot",
                "Give the bin of each shot in a file (breathing = FILE)");
  const HermitianEigen eigen = hermitianEigen(covariance, int(n));
  // The strongest coil's weight is made real and positive, so that the sign can be repeated.
  std::size_t strongest = 0;
  for (std::size_t c = 1; c < n; ++c)
    if (std::abs(eigen.vectors[c]) > std::abs(eigen.vectors[strongest])) strongest = c;
  const cdouble turn = std::conj(eigen.vectors[strongest]) / std::abs(eigen.vectors[strongest]);
  std::vector<double> component(places.size());
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t i = 0; i < places.size(); ++i)
      component[i] += (turn * eigen.vectors[c]).real() * coils[c][i];
  BreathingSignal signal;
  signal.centred = std::int64_t(places.size());
  signal.share = eigen.values.front() / total;
  signal.breaths = risesThroughZero(component);
  signal.values = atAllShots(places, component, t.shots());
  return signal;
}

}  // namespace spokelab
