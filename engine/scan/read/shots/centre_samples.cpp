#include "engine/scan/read/shots/centre_samples.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/scan/read/shots/nearest_sample.h"

namespace spokelab {
namespace {

constexpr double maxCentreDistance = 1;  // cycles/FOV
constexpr std::size_t minCentred = 8;

// Less the straight line that fits best.
void detrend(const std::vector<double>& places, std::vector<double>& values) {
  double count = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = places[i], y = values[i];
    count += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx), start = (sy - slope * sx) / count;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= start + slope * places[i];
}

}  // namespace

CentreCourses centreCourses(const Scan& scan, const std::string& problem) {
  const Trajectory& t = scan.trajectories.front();
  CentreCourses courses;
  std::vector<std::int64_t> samples;
  for (std::int64_t s = 0; s < t.shots(); ++s)
    if (const std::int64_t sample = nearestSample(t, s, maxCentreDistance); sample >= 0) {
      courses.shots.push_back(double(s));
      samples.push_back(sample);
    }
  if (samples.size() < minCentred)
    throw Error(problem,
                "motion is seen at the centre of k-space, and " + std::to_string(samples.size()) + " of " +
                    std::to_string(t.shots()) + " shots pass it",
                "Take the signal of the physiological unit (pmu), or give the bin of each shot in a file "
                "(breathing = FILE)");
  for (int c = 0; c < scan.coils; ++c) {
    std::vector<double>& values = courses.coils.emplace_back();
    for (const std::int64_t sample : samples) values.push_back(double(std::abs(scan.data(0, 0, c)[sample])));
    detrend(courses.shots, values);
  }
  return courses;
}

std::vector<double> CentreCourses::atAllShots(const std::vector<double>& values, std::int64_t count) const {
  std::vector<double> all;
  std::size_t next = 0;
  for (std::int64_t s = 0; s < count; ++s) {
    while (next < shots.size() && shots[next] < double(s)) ++next;
    if (next == 0 || next == shots.size()) {
      all.push_back(next == 0 ? values.front() : values.back());
      continue;
    }
    const double before = shots[next - 1], share = (double(s) - before) / (shots[next] - before);
    all.push_back((1 - share) * values[next - 1] + share * values[next]);
  }
  return all;
}

}  // namespace spokelab
