#include "engine/scan/simulate/heartbeat.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spokelab {
namespace {

constexpr Vec3 heartCentre{0.1, 0.06, 0};
constexpr double heartRadius = 0.1, heartShrinks = 0.35, heartValue = 0.6;
constexpr double respStep = 0.02, ecgStep = 0.005;  // seconds
constexpr double maxTraceSamples = 1 << 20;

double fraction(double x) {
  return x - std::floor(x);
}

// signal(seconds) over all shots, in whole counts as analogue converters give them.
template <class Signal>
NamedArray trace(const char* name, double seconds, double step, const Signal& signal) {
  step = std::max(step, seconds / maxTraceSamples);
  const auto count = std::size_t(seconds / step) + 1;
  NamedArray array{name, {2, std::int64_t(count)}, {}, false};
  for (std::size_t i = 0; i < count; ++i) array.values.push_back(cfloat(float(double(i) * step)));
  for (std::size_t i = 0; i < count; ++i)
    array.values.push_back(cfloat(float(std::round(signal(double(i) * step)))));
  return array;
}

}  // namespace

Phantom withHeart(Phantom phantom, double phase) {
  PhantomShape heart;
  const double radius = heartRadius * (1 - heartShrinks * (1 - std::cos(2 * std::numbers::pi * phase)) / 2);
  heart.centre = heartCentre;
  heart.semiAxes = {radius, radius, radius};
  heart.value = heartValue;
  phantom.shapes.push_back(heart);
  return phantom;
}

std::vector<double> heartPhases(const SimulateOptions& options, std::int64_t shots) {
  std::vector<double> phases;
  for (std::int64_t s = 0; options.heartShots > 0 && s < shots; ++s)
    phases.push_back(double(s % options.heartShots) / options.heartShots);
  return phases;
}

void recordMotion(const SimulateOptions& options, Scan& scan) {
  if (options.breathingMm == 0 && options.heartShots == 0) return;
  std::int64_t all = 0;
  for (int f = 0; f < scan.frames; ++f) {
    std::vector<double>& times = scan.shotTimes.emplace_back();
    for (std::int64_t s = 0; s < scan.trajectory(f).shots(); ++s)
      times.push_back(double(all++) * motionShotSeconds);
  }
  if (scan.frames > 1) return;  // each frame starts its motion anew
  const double seconds = double(all) * motionShotSeconds;
  if (options.breathingMm > 0)
    scan.arrays.push_back(trace("PMU RESP", seconds, respStep, [&](double t) {
      constexpr double middle = 2000, reach = 1000;
      return middle - reach * std::cos(2 * std::numbers::pi * t / motionShotSeconds / options.breathShots);
    }));
  if (options.heartShots > 0)
    scan.arrays.push_back(trace("PMU ECG", seconds, ecgStep, [&](double t) {
      constexpr double base = 500, peak = 3000, width = 0.015;
      const double beat = options.heartShots * motionShotSeconds, share = fraction(t / beat),
                   apart = std::min(share, 1 - share) * beat / width;
      return base + peak * std::exp(-apart * apart / 2);
    }));
}

}  // namespace spokelab
