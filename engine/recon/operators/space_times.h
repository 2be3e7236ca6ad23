// Seconds that the calls of a vector space took, by the kind of work (vector_space.h). The
// iterations read them after each step (iteration_news.h), and reading sets them back to 0.
#pragma once

#include <array>
#include <cstddef>

#include "engine/core/stage_timer.h"

namespace spokelab {

enum class SpaceWork {
  transforms,
  maps,  // coil images from the image, and back
  regularizer
};
inline constexpr std::size_t spaceWorkCount = 3;

// Seconds since they were last read. A host space measures with SpaceTimer, a device space between
// two events of its stream.
struct SpaceTimes {
  std::array<double, spaceWorkCount> seconds{};
  StageTimings stages;  // of the transforms that tell their stages; `total` is not set

  double& operator[](SpaceWork w) { return seconds[std::size_t(w)]; }
  double operator[](SpaceWork w) const { return seconds[std::size_t(w)]; }
};

// Adds the wall time from construction to destruction to `seconds`, also when a cancel throws. Only
// for host spaces: a device's work may end after the call returns.
class SpaceTimer {
 public:
  explicit SpaceTimer(double& seconds) : seconds_(seconds) {}
  ~SpaceTimer() { seconds_ += now() - began_; }
  SpaceTimer(const SpaceTimer&) = delete;
  SpaceTimer& operator=(const SpaceTimer&) = delete;

 private:
  double& seconds_;
  const double began_ = now();
};

}  // namespace spokelab
