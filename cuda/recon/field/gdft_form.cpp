#include "cuda/recon/field/gdft_form.h"

#include <algorithm>
#include <numbers>

#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

constexpr double twoPi = 2 * std::numbers::pi;
// Up to this number of turns, f t needs no reduction.
constexpr double maxNarrowTurns = 2;
// Relative error that leaving out low halves may add; the transform may have 1e-5.
constexpr double maxLowHalfError = 8e-6;
// Sharing the shots' times pays from this number of shots on.
constexpr std::int64_t minSharedShots = 6;

double maxMagnitude(const std::vector<double>& values) {
  double result = 0;
  for (double v : values) result = std::max(result, std::abs(v));
  return result;
}

bool timesAreShared(const GdftProblem& p) {
  const std::int64_t samples = p.samples();
  if (p.shots < 1 || samples % p.shots != 0) return false;
  const std::int64_t length = samples / p.shots;
  for (std::int64_t j = length; !p.times.empty() && j < samples; ++j)
    if (p.times[std::size_t(j)] != p.times[std::size_t(j % length)]) return false;
  return true;
}

double rootMeanSquare(std::int64_t count, const auto& value) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += value(i) * value(i);
  return std::sqrt(sum / double(std::max<std::int64_t>(count, 1)));
}

// The cheapest form with an allowed error. Omitting the low halves of t (from t0) adds a relative
// error of the rms of 2 pi f t_low; omitting the low halves of f adds the rms of 2 pi f_low t.
GdftForm reducedForm(const GdftProblem& p, double t0) {
  const GdftReader read{p};
  const auto f = [&](std::int64_t i) { return read.field(i) / twoPi; };
  const auto t = [&](std::int64_t j) { return read.t(j) - t0; };
  const auto low = [](const auto& value) {
    return [&](std::int64_t i) { return double(lowHalf(value(i))); };
  };
  const double times = rootMeanSquare(p.pixels(), f) * rootMeanSquare(p.samples(), low(t));
  const double field = rootMeanSquare(p.pixels(), low(f)) * rootMeanSquare(p.samples(), t);
  if (twoPi * std::hypot(times, field) <= maxLowHalfError) return GdftForm::high;
  return twoPi * times <= maxLowHalfError ? GdftForm::middle : GdftForm::wide;
}

}  // namespace

double middleOf(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return (*low + *high) / 2;
}

GdftForm formOf(const GdftProblem& p) {
  if (!p.forms.empty()) return p.intravoxel || !p.decay.empty() ? GdftForm::bentSinc : GdftForm::bent;
  if (!p.intravoxel && p.decay.empty()) {
    if (maxMagnitude(p.field) / twoPi * maxMagnitude(p.times) <= maxNarrowTurns) return GdftForm::narrow;
    return p.coordinates.empty() ? reducedForm(p, middleOf(p.times)) : GdftForm::wide;
  }
  if (!p.decay.empty() || !p.coordinates.empty()) return GdftForm::sincAny;
  // Upper bound of |k_d / N_d + G_d t|.
  double maxArgument = 0;
  const GdftReader read{p};
  for (std::int64_t j = 0; j < p.samples(); ++j)
    for (std::size_t d = 0; d < read.dims; ++d)
      maxArgument = std::max(maxArgument, std::abs(read.k(j, d)) / read.size(d));
  maxArgument += maxMagnitude(p.gradient) * maxMagnitude(p.times);
  return maxArgument <= 1 ? GdftForm::sinc1 : maxArgument <= 2 ? GdftForm::sinc2 : GdftForm::sincAny;
}

GdftVariant variantOf(const GdftProblem& p) {
  const bool can =
      p.coordinates.empty() && !p.intravoxel && p.decay.empty() && p.forms.empty() && timesAreShared(p);
  switch (p.method) {
    case GdftMethod::reference:
      return GdftVariant::reference;
    case GdftMethod::tiled:
      return GdftVariant::tiled;
    case GdftMethod::sharedTimes:
      if (!can)
        throw Error(
            "Cannot set up the field-corrected transform",
            "this method needs a regular grid and shots with equal times, without sinc, decay or phases of second order",
            "Use the tiled method");
      return GdftVariant::sharedTimes;
    default:
      return can && p.shots >= minSharedShots ? GdftVariant::sharedTimes : GdftVariant::tiled;
  }
}

}  // namespace spokelab::gpu
