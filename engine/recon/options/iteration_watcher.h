// A person steers iterations with it while they run.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/core/array.h"

namespace spokelab {

struct PlanInfo;

// restart: the operator, the right side or the image has changed, and the solver starts again from
// the present image.
enum class IterationAction { proceed, stop, restart };

// One iteration, told as it ends. image() copies the present image to the host.
struct IterationState {
  int iteration = 0;    // from 1
  double residual = 0;  // of the normal equations, relative
  double seconds = 0;   // of computing since the first iteration began
  double lambda = 0;
  // False: the method ignores a command's lambda and image. NLINV's steps have penalties of their
  // own, and an image alone does not determine its maps.
  bool steerable = true;
  int frame = 0, slice = 0;  // of the scan
  Index3 matrix{1, 1, 1};
  const PlanInfo* plan = nullptr;  // of the transform; lives as long as this call
  std::function<std::vector<cfloat>()> image;
};

struct IterationCommand {
  IterationAction action = IterationAction::proceed;
  double lambda = -1;     // negative: as it is
  bool keepBest = false;  // of a stop: return the image of the smallest residual so far
  std::shared_ptr<const std::vector<cfloat>> image;  // go on from this one (back to an earlier iteration)
  double pausedSeconds = 0;  // that the watcher waited for a person: no time of computing
};

// lambda was changed while iterations ran.
struct LambdaChange {
  int iteration = 0;  // the last one with `before`
  double before = 0, after = 0;
};

// A watcher that blocks pauses the iterations.
using IterationWatcher = std::function<IterationCommand(const IterationState&)>;

}  // namespace spokelab
