// Times of a space's calls since the last question (vector_space.h), by the kind of work.
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

// Seconds of the machine that has the vectors: on a device those between two events of its stream.
struct SpaceTimes {
  std::array<double, spaceWorkCount> seconds{};
  StageTimings stages;  // of the transforms, as far as they know them; its total means nothing

  double& operator[](SpaceWork w) { return seconds[std::size_t(w)]; }
  double operator[](SpaceWork w) const { return seconds[std::size_t(w)]; }
};

// Adds the time of a call, also of one that is cancelled.
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
