#include "engine/recon/explore/fit/small_scan.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/scan/read/correct/fit_delays.h"

namespace spokelab {
namespace {

std::vector<double> movedPoints(const Trajectory& t, const Vec3& delays) {
  std::vector<double> moved;
  moved.reserve(t.points.size());
  for (std::int64_t n = 0; n < t.shots(); ++n) {
    const std::int64_t first = t.shotOffsets[std::size_t(n)],
                       length = t.shotOffsets[std::size_t(n + 1)] - first;
    if (length == 0) continue;
    const auto begin = t.points.begin() + first * t.dims;
    const std::vector<double> shot =
        delayedPoints({begin, begin + length * t.dims}, 1, length, t.dims, delays);
    moved.insert(moved.end(), shot.begin(), shot.end());
  }
  return moved;
}

}  // namespace

std::vector<double> SmallScan::pointsAt(const Vec3& delays) const {
  const auto dims = std::size_t(fullTrajectory.dims);
  const std::vector<double> fullPoints = movedPoints(fullTrajectory, delays);
  std::vector<double> points;
  points.reserve(keptSamples.size() * dims);
  for (const std::int64_t j : keptSamples)
    for (std::size_t d = 0; d < dims; ++d) points.push_back(fullPoints[std::size_t(j) * dims + d]);
  return points;
}

std::vector<double> SmallScan::slopesAt(const Vec3& delays) const {
  constexpr double step = 0.25;  // samples
  Vec3 early = delays, late = delays;
  for (std::size_t d = 0; d < 3; ++d) {
    early[d] -= step;
    late[d] += step;
  }
  std::vector<double> slopes = pointsAt(early);
  const std::vector<double> behind = pointsAt(late);
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = (slopes[i] - behind[i]) / (2 * step);
  return slopes;
}

SmallScan smallScan(const Scan& scan, int frame, int slice, std::int64_t matrix, bool keepArrays) {
  SmallScan small;
  small.frame = frame;
  small.slice = scan.dims() == 3 ? 0 : slice;
  small.fullTrajectory = scan.trajectory(frame);
  const Trajectory& t = small.fullTrajectory;
  const auto dims = std::size_t(t.dims);
  small.scan = describedAs(scan);
  Scan& s = *small.scan;
  s.geometry = geometryOf(scan, {frame}, {small.slice});
  s.frames = s.slices = 1;
  s.frameAxes = {};
  if (!keepArrays) s.arrays.clear();
  for (std::size_t d = 0; d < dims; ++d) s.geometry.matrix[d] = std::min(s.geometry.matrix[d], matrix);
  Trajectory part;
  part.dims = t.dims;
  for (std::int64_t n = 0; n < t.shots(); ++n) {
    for (std::int64_t j = t.shotOffsets[std::size_t(n)]; j < t.shotOffsets[std::size_t(n + 1)]; ++j) {
      bool inside = true;
      for (std::size_t d = 0; d < dims; ++d)
        inside = inside && std::abs(t.points[std::size_t(j) * dims + d]) <= double(s.geometry.matrix[d]) / 2;
      if (!inside) continue;
      small.keptSamples.push_back(j);
      if (!t.times.empty()) part.times.push_back(t.times[std::size_t(j)]);
      if (!t.secondOrder.empty()) part.secondOrder.push_back(t.secondOrder[std::size_t(j)]);
    }
    if (std::int64_t(small.keptSamples.size()) > part.shotOffsets.back())
      part.shotOffsets.push_back(std::int64_t(small.keptSamples.size()));
  }
  if (small.keptSamples.empty())
    throw Error("Cannot fit the scan's model", "no sample is near the centre of k-space",
                "Use a larger matrix for the fit");
  part.points = small.pointsAt({0, 0, 0});
  s.trajectories = {std::move(part)};
  s.samples.clear();
  s.doubleSamples.clear();
  s.makeRoom(0, std::int64_t(small.keptSamples.size()) * s.coils, false);
  for (int c = 0; c < s.coils; ++c) {
    const cfloat* const from = scan.data(frame, small.slice, c);
    cfloat* const to = s.data(0, 0, c);
    for (std::size_t i = 0; i < small.keptSamples.size(); ++i) to[i] = from[small.keptSamples[i]];
  }
  return small;
}

}  // namespace spokelab
