#include "engine/scan/read/shots/breathing_signal.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"
#include "engine/scan/read/shots/centre_samples.h"

namespace spokelab {
namespace {

// The running mean over three values takes away what changes from shot to shot.
std::vector<double> smoothed(const std::vector<double>& values) {
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i > 0 ? i - 1 : 0, last = std::min(i + 1, values.size() - 1);
    for (std::size_t j = first; j <= last; ++j) result[i] += values[j] / double(last - first + 1);
  }
  return result;
}

int risesThroughZero(const std::vector<double>& values) {
  int rises = 0;
  for (std::size_t i = 1; i < values.size(); ++i) rises += values[i - 1] < 0 && values[i] >= 0 ? 1 : 0;
  return rises;
}

}  // namespace

BreathingSignal breathingSignal(const Scan& scan, const std::string& problem) {
  const CentreCourses courses = centreCourses(scan, problem);
  const std::size_t count = courses.shots.size();
  std::vector<std::vector<double>> coils;
  for (const std::vector<double>& course : courses.coils) coils.push_back(smoothed(course));
  const auto n = std::size_t(scan.coils);
  std::vector<cdouble> covariance(n * n);
  double total = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += coils[a][i] * coils[b][i];
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
  std::vector<double> component(count);
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t i = 0; i < count; ++i) component[i] += (turn * eigen.vectors[c]).real() * coils[c][i];
  BreathingSignal signal;
  signal.centred = std::int64_t(count);
  signal.share = eigen.values.front() / total;
  signal.breaths = risesThroughZero(component);
  signal.values = courses.atAllShots(component, scan.trajectories.front().shots());
  return signal;
}

}  // namespace spokelab
