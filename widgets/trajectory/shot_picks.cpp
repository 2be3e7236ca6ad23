#include "widgets/trajectory/shot_picks.h"

#include <algorithm>

namespace spokelab {
namespace {

constexpr std::int64_t maxSamplesInside = 2'000'000;  // that a rectangle looks at

}  // namespace

void ShotPicks::reset() {
  picked_.clear();
  anchor_ = -1;
}

ShotPicks::Request ShotPicks::pick(const Trajectory& trajectory, int shot, PickMode mode) {
  const bool toggles = mode == PickMode::toggle || mode == PickMode::toggleRange;
  const bool extends = mode == PickMode::range || mode == PickMode::toggleRange;
  std::vector<char> in = flags(trajectory);
  const bool was = in[std::size_t(shot)];
  if (!toggles) std::fill(in.begin(), in.end(), 0);
  const int from = extends && anchor_ >= 0 ? std::min(anchor_, int(in.size()) - 1) : shot;
  for (int s = std::min(from, shot); s <= std::max(from, shot); ++s)
    in[std::size_t(s)] = toggles && !extends ? !was : 1;
  if (!extends) anchor_ = shot;
  return listed(in);
}

ShotPicks::Request ShotPicks::pickInside(const Trajectory& trajectory, const KspaceProjection& projection,
                                         const QRectF& band, bool adds) const {
  const Trajectory& t = trajectory;
  std::vector<char> in = adds && !picked_.empty() ? flags(t) : std::vector<char>(std::size_t(t.shots()), 0);
  const std::int64_t step = std::max<std::int64_t>(1, t.samples() / maxSamplesInside);
  for (std::int64_t s = 0; s < t.shots(); ++s)
    for (std::int64_t i = t.shotOffsets[std::size_t(s)]; i < t.shotOffsets[std::size_t(s) + 1]; i += step)
      if (band.contains(projection.point(kspacePoint(t, i)))) {
        in[std::size_t(s)] = 1;
        break;
      }
  return listed(in);
}

std::vector<char> ShotPicks::flags(const Trajectory& trajectory) const {
  std::vector<char> in(std::size_t(trajectory.shots()), picked_.empty() ? 1 : 0);
  for (const int s : picked_)
    if (s >= 0 && s < int(in.size())) in[std::size_t(s)] = 1;
  return in;
}

ShotPicks::Request ShotPicks::listed(const std::vector<char>& in) {
  std::vector<int> shots;
  for (int s = 0; s < int(in.size()); ++s)
    if (in[std::size_t(s)]) shots.push_back(s);
  if (shots.empty()) return std::nullopt;
  if (shots.size() == in.size()) shots.clear();
  return shots;
}

}  // namespace spokelab
