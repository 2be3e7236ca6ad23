#include "engine/scan/read/steps/raw_trajectory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/scan/read/steps/bad_readouts.h"

namespace spokelab {

RawTrajectory readTrajectory(AcquisitionSource& file, const Selection& s, const Decisions& d,
                             const Progress& progress) {
  RawTrajectory raw;
  raw.columns = s.columns;
  for (const std::int64_t i : s.imaging)
    raw.offsets.push_back(raw.offsets.back() + keptSamples(file.heads()[std::size_t(i)], s.discard).count);
  const double bytes = double(raw.samples()) * s.columns * sizeof(double);
  requireMemory(bytes, d.problem(), "its trajectory", "Read it on a machine with more memory");
  raw.values.resize(std::size_t(raw.samples() * s.columns));

  raw.bad.assign(s.imaging.size(), 0);
  std::int64_t bad = 0, firstBad = 0;
  file.read(AcquisitionMember::trajectory, s.imaging, "Reading the trajectory", progress,
            [&](std::size_t position, const float* values) {
              const std::int64_t index = s.imaging[position];
              const SampleRange kept = keptSamples(file.heads()[std::size_t(index)], s.discard);
              const float* begin = values + kept.first * s.columns;
              const float* end = begin + kept.count * s.columns;
              std::copy(begin, end, raw.values.begin() + raw.offsets[position] * s.columns);
              const auto broken = std::count_if(begin, end, [](float v) { return !std::isfinite(v); });
              raw.bad[position] = broken > 0;
              if (broken && bad == 0) firstBad = index;
              bad += broken;
            });
  raw.badText = std::to_string(bad) + " of the " + std::to_string(raw.values.size()) +
                " coordinates of its trajectory are not finite (first in acquisition " +
                std::to_string(firstBad) + ")";
  replaceBadLines(raw, d);
  return raw;
}

ColumnRange rangeOf(const RawTrajectory& raw, int column) {
  ColumnRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::int64_t j = 0; j < raw.samples(); ++j) {
    range.low = std::min(range.low, raw.at(j, column));
    range.high = std::max(range.high, raw.at(j, column));
  }
  return range;
}

Vec3 largestCoordinates(const RawTrajectory& raw, int dims) {
  Vec3 k{0, 0, 0};
  for (std::int64_t j = 0; j < raw.samples(); ++j)
    for (int c = 0; c < dims; ++c) k[std::size_t(c)] = std::max(k[std::size_t(c)], std::abs(raw.at(j, c)));
  return k;
}

}  // namespace spokelab
