#include "engine/scan/read/steps/build_trajectory.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/memory/huge_pages.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {

Trajectory buildTrajectory(const RawTrajectory& raw, const Columns& columns, const Selection& s,
                           const std::vector<AcquisitionHead>& heads, const ImageSpace& space,
                           const Groups& groups, std::size_t frame) {
  constexpr double microsecond = 1e-6;
  Trajectory t;
  t.dims = columns.dims;
  const std::vector<std::size_t>& lines = groups.lines[frame].front();
  const auto headOf = [&](std::size_t p) -> const AcquisitionHead& {
    return heads[std::size_t(s.imaging[p])];
  };
  const bool timed = columns.time < 0 && std::all_of(lines.begin(), lines.end(), [&](std::size_t p) {
                       const float dwell = headOf(p).sample_time_us;
                       return std::isfinite(dwell) && dwell > 0;
                     });
  for (const std::size_t p : lines)
    t.shotOffsets.push_back(t.shotOffsets.back() + raw.offsets[p + 1] - raw.offsets[p]);
  const auto samples = std::size_t(t.samples());
  resizeLarge(t.points, samples * std::size_t(t.dims));
  if (columns.weight >= 0) resizeLarge(t.weights, samples);
  if (columns.time >= 0 || timed) resizeLarge(t.times, samples);
  const auto fill = [&](std::size_t shot) {
    const std::size_t p = lines[shot];
    const AcquisitionHead& head = headOf(p);
    const double fromCentre = double(head.idx.kspace_encode_step_2) - double(columns.partition);
    const double counted = columns.partitionNegated ? -fromCentre : fromCentre;
    const std::int64_t discarded = keptSamples(head, s.discard).first;
    auto to = std::size_t(t.shotOffsets[shot]);
    for (std::int64_t j = raw.offsets[p]; j < raw.offsets[p + 1]; ++j, ++to) {
      for (int c = 0; c < t.dims; ++c) {
        const bool isCounted = c == 2 && columns.partition >= 0;
        t.points[to * std::size_t(t.dims) + std::size_t(c)] =
            isCounted ? counted : raw.at(j, c) * space.scale[std::size_t(c)];
      }
      if (columns.weight >= 0) t.weights[to] = raw.at(j, columns.weight);
      if (columns.time >= 0) t.times[to] = raw.at(j, columns.time);
      if (timed)
        t.times[to] = double(discarded + j - raw.offsets[p]) * double(head.sample_time_us) * microsecond;
    }
  };
  constexpr std::int64_t shotsPerTask = 64;
  parallelFor(std::int64_t(lines.size()), 0, shotsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t shot = begin; shot < end; ++shot) fill(std::size_t(shot));
  });
  return t;
}

namespace {

// Area (volume) that the points cover: an ellipse (ellipsoid), a cylinder along z, or the box.
double coveredVolume(const Trajectory& t) {
  constexpr double edge = 1.1;  // a corner of the box is at 2 (3)
  Vec3 extent{0, 0, 0};
  const auto at = [&](std::int64_t j, int c) { return std::abs(t.points[std::size_t(j * t.dims + c)]); };
  for (std::int64_t j = 0; j < t.samples(); ++j)
    for (int c = 0; c < t.dims; ++c) extent[std::size_t(c)] = std::max(extent[std::size_t(c)], at(j, c));
  double inPlane = 0, all = 0;
  for (std::int64_t j = 0; j < t.samples(); ++j) {
    double u = 0;
    for (int c = 0; c < t.dims; ++c) {
      const double e = extent[std::size_t(c)];
      u += e > 0 ? std::pow(at(j, c) / e, 2) : 0;
      if (c == 1) inPlane = std::max(inPlane, u);
    }
    all = std::max(all, u);
  }
  const double pi = std::numbers::pi;
  const double area = (inPlane < edge ? pi : 4) * extent[0] * extent[1];
  if (t.dims == 2) return area;
  return all < edge ? 4 * pi / 3 * extent[0] * extent[1] * extent[2] : area * 2 * extent[2];
}

}  // namespace

void normaliseWeights(std::vector<Trajectory>& trajectories, Decisions& d) {
  if (trajectories.front().weights.empty()) {
    if (!d.override("weights").empty())
      throw Error(d.problem(), "it holds no density weights", "Leave the decision weights out");
    return;
  }
  const auto drop = [&] {
    for (Trajectory& t : trajectories) t.weights.clear();
  };
  bool sound = true;
  double factor = 1;
  for (Trajectory& t : trajectories) {
    double sum = 0;
    for (const double w : t.weights) {
      sound = sound && w >= 0;
      sum += w;
    }
    sound = sound && sum > 0;
    if (!sound) break;
    constexpr double sameArea = 1.5;  // the edge of the covered area is known no better
    const double scale = coveredVolume(t) / sum;
    if (scale < sameArea && scale > 1 / sameArea) continue;
    factor = scale;
    for (double& w : t.weights) w *= scale;
  }
  const std::string evidence =
      !sound ? "the weights in the file are negative or all 0"
             : (factor == 1 ? "the weights in the file add up to the covered k-space"
                            : "the weights in the file were multiplied by " + numberText(factor) +
                                  " to add up to the covered k-space");
  if (d.decide("weights", sound ? "use" : "ignore", evidence, {"use", "ignore"}) == "ignore" || !sound)
    drop();
}

}  // namespace spokelab
