// Weighted samples to images: the points of some frames are set, then their slices gridded one
// after the other.
#pragma once

#include <vector>

#include "engine/recon/run/gridding/frame_setup.h"

namespace spokelab {

class Gridder {
 public:
  virtual ~Gridder() = default;
  virtual std::size_t framesAtOnce() const { return 1; }
  // frames: at most framesAtOnce().
  virtual void setPoints(std::vector<FrameSetup> frames) = 0;
  virtual void grid(const Unknown& unknown, const Progress& progress) = 0;
  virtual PlanInfo info() const = 0;
};

}  // namespace spokelab
