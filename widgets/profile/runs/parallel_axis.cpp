#include "widgets/profile/runs/parallel_axis.h"

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr double sameTick = 1e-6;      // of the axis
constexpr double rangeOfOne = 0.5;     // around a single value, even or in names
constexpr double factorOfOne = 2;      // around a single value of decades
constexpr double brushSlack = 1e-9;    // of a chosen value
constexpr double steps[] = {1, 2, 5};  // of a decade

double position(const ParallelAxis& axis, double value) {
  return axis.scale == AxisScale::decades ? std::log10(value) : value;
}

std::vector<double> multiplesOf(double step, double low, double high) {
  std::vector<double> ticks;
  for (double n = std::ceil(low / step - sameTick); n * step <= high + sameTick * step; ++n)
    ticks.push_back(n * step);
  return ticks;
}

// Multiples of 1, 2 or 5 · 10^k, of which at most `maxTicks` (at least 1) are between both ends.
std::vector<double> evenTicks(double low, double high, int maxTicks) {
  for (double decade = std::pow(10, std::floor(std::log10((high - low) / maxTicks)));; decade *= 10)
    for (const double one : steps) {
      std::vector<double> ticks = multiplesOf(one * decade, low, high);
      if (int(ticks.size()) <= maxTicks) return ticks;
    }
}

std::vector<double> decadeTicks(double low, double high, int most) {
  std::vector<double> fine, coarse;
  for (double k = std::floor(std::log10(low)); k <= std::ceil(std::log10(high)); ++k)
    for (const double one : steps) {
      const double value = one * std::pow(10, k);
      if (value < low * (1 - sameTick) || value > high * (1 + sameTick)) continue;
      fine.push_back(value);
      if (one == 1) coarse.push_back(value);
    }
  if (int(fine.size()) <= most) return fine;
  const auto stride = std::size_t(std::max(1, (int(coarse.size()) + most - 1) / std::max(1, most)));
  std::vector<double> found;
  for (std::size_t i = 0; i < coarse.size(); i += stride) found.push_back(coarse[i]);
  return found;
}

}  // namespace

void ParallelAxis::cover(const std::vector<double>& values) {
  bool first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = first ? value : std::min(low, value);
    high = first ? value : std::max(high, value);
    first = false;
  }
  if (scale == AxisScale::names) {
    low = 0;
    high = std::max(0, int(names.size()) - 1);
  } else if (first) {
    low = 1;
    high = 2;
  }
  // Values that read alike are one: their difference would fill the axis.
  if (high > low && (!text || text(low) != text(high))) return;
  if (scale == AxisScale::decades) {
    low /= factorOfOne;
    high *= factorOfOne;
  } else {
    low -= rangeOfOne;
    high += rangeOfOne;
  }
}

double ParallelAxis::placeOf(double value) const {
  return (position(*this, value) - position(*this, low)) / (position(*this, high) - position(*this, low));
}

double ParallelAxis::valueAt(double place) const {
  const double at = position(*this, low) + place * (position(*this, high) - position(*this, low));
  return scale == AxisScale::decades ? std::pow(10, at) : at;
}

std::vector<ParallelAxis::Tick> ParallelAxis::ticks(const std::vector<double>& values, int most) const {
  std::vector<double> at;
  for (const double value : values)
    if (std::isfinite(value)) at.push_back(value);
  std::sort(at.begin(), at.end());
  const auto same = [&](double a, double b) { return std::abs(placeOf(a) - placeOf(b)) < sameTick; };
  at.erase(std::unique(at.begin(), at.end(), same), at.end());
  // Values that are evenly apart have room for their words; others may lie close together.
  const bool crowded = std::adjacent_find(at.begin(), at.end(), [&](double a, double b) {
                         return std::abs(placeOf(a) - placeOf(b)) * most < 1;
                       }) != at.end();
  if (scale != AxisScale::names && (crowded || int(at.size()) > most))
    at = scale == AxisScale::decades ? decadeTicks(low, high, most) : evenTicks(low, high, most);
  std::vector<Tick> found;
  for (const double value : at) {
    const auto name = qsizetype(std::lround(value));
    found.push_back({placeOf(value), scale != AxisScale::names ? text(value)
                                     : name < names.size()     ? names[name]
                                                               : QString()});
  }
  return found;
}

bool ParallelAxis::passes(double value) const {
  if (!brush) return true;
  const double slack = brushSlack * std::max(std::abs(brush->first), std::abs(brush->second));
  return std::isfinite(value) && value >= brush->first - slack && value <= brush->second + slack;
}

}  // namespace spokelab
