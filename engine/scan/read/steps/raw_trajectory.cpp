#include "engine/scan/read/steps/raw_trajectory.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/core/error.h"
#include "engine/core/memory/huge_pages.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/read/steps/bad_readouts.h"

namespace spokelab {
namespace {

constexpr std::int64_t samplesPerTask = 1 << 16;

}  // namespace

RawTrajectory readTrajectory(AcquisitionSource& file, const Selection& s, const Decisions& d,
                             const Progress& progress) {
  RawTrajectory raw;
  raw.columns = s.columns;
  for (const std::int64_t i : s.imaging)
    raw.offsets.push_back(raw.offsets.back() + keptSamples(file.heads()[std::size_t(i)], s.discard).count);
  const double bytes = double(raw.samples()) * s.columns * sizeof(double);
  requireMemory(bytes, d.problem(), "its trajectory", "Read it on a machine with more memory");
  resizeLarge(raw.values, std::size_t(raw.samples() * s.columns));

  raw.bad.assign(s.imaging.size(), 0);
  std::atomic<std::int64_t> bad = 0;
  file.read(AcquisitionMember::trajectory, s.imaging, "Reading the trajectory", progress,
            [&](std::size_t position, const float* values) {
              const std::int64_t index = s.imaging[position];
              const SampleRange kept = keptSamples(file.heads()[std::size_t(index)], s.discard);
              const float* begin = values + kept.first * s.columns;
              const float* end = begin + kept.count * s.columns;
              std::copy(begin, end, raw.values.begin() + raw.offsets[position] * s.columns);
              const auto broken = std::count_if(begin, end, [](float v) { return !std::isfinite(v); });
              raw.bad[position] = broken > 0;
              if (broken > 0) bad += broken;
            });
  const auto first = std::find(raw.bad.begin(), raw.bad.end(), 1);
  const std::int64_t firstBad = first == raw.bad.end() ? 0 : s.imaging[std::size_t(first - raw.bad.begin())];
  raw.badText = std::to_string(bad) + " of the " + std::to_string(raw.values.size()) +
                " coordinates of its trajectory are not finite (first in acquisition " +
                std::to_string(firstBad) + ")";
  replaceBadLines(raw, d);
  return raw;
}

ColumnRange rangeOf(const RawTrajectory& raw, int column) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ColumnRange range{infinity, -infinity};
  std::mutex mutex;
  parallelFor(raw.samples(), 0, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
    ColumnRange part{infinity, -infinity};
    for (std::int64_t j = begin; j < end; ++j) {
      part.low = std::min(part.low, raw.at(j, column));
      part.high = std::max(part.high, raw.at(j, column));
    }
    const std::lock_guard lock(mutex);
    range = {std::min(range.low, part.low), std::max(range.high, part.high)};
  });
  return range;
}

Vec3 largestCoordinates(const RawTrajectory& raw, int dims) {
  Vec3 k{0, 0, 0};
  std::mutex mutex;
  parallelFor(raw.samples(), 0, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
    Vec3 part{0, 0, 0};
    for (std::int64_t j = begin; j < end; ++j)
      for (std::size_t c = 0; c < std::size_t(dims); ++c)
        part[c] = std::max(part[c], std::abs(raw.at(j, int(c))));
    const std::lock_guard lock(mutex);
    for (std::size_t c = 0; c < part.size(); ++c) k[c] = std::max(k[c], part[c]);
  });
  return k;
}

}  // namespace spokelab
