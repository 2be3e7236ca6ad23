// Tells apart what the iterations of a solver spend, from one end of an iteration to the next: from the
// stages that transforms record and the clocks around maps and regularizer.
#pragma once

#include <algorithm>

#include "engine/core/stage_timer.h"
#include "engine/recon/sense/iteration_parts.h"

namespace spokelab {

class IterationClock {
 public:
  // Adds the time from construction to destruction to the regularizer's.
  class Regularizer {
   public:
    explicit Regularizer(IterationClock& clock) : sum_(clock.regularizer_), began_(now()) {}
    ~Regularizer() { sum_ += now() - began_; }
    Regularizer(const Regularizer&) = delete;
    Regularizer& operator=(const Regularizer&) = delete;

   private:
    double& sum_;
    const double began_;
  };

  // stages, maps, transforms: the sums so far; transforms: of calls of transforms as a whole, which hold the
  // stages. seconds: of the iteration that ends. exact: transforms have no NUFFT; what they
  // record as stages are exact sums, too.
  IterationParts lap(const StageTimings& stages, double maps, double transforms, double seconds, bool exact) {
    const auto since = [](double now, double& before) {
      const double part = now - before;
      before = now;
      return std::max(0.0, part);
    };
    IterationParts parts;
    parts[IterationPart::interpolation] = since(stages.interpolation(), interpolation_);
    parts[IterationPart::fft] = since(stages.fft(), fft_);
    parts[IterationPart::multiply] = since(stages[Stage::multiply], multiply_);
    const double all = since(stages.accounted(), stages_);
    parts[IterationPart::otherStages] = std::max(0.0, all - parts.total());
    parts[IterationPart::maps] = since(maps, maps_);
    parts[IterationPart::regularizer] = since(regularizer_, told_);
    const double called = since(transforms, transforms_);
    if (exact) {
      for (const auto stage : {IterationPart::interpolation, IterationPart::fft, IterationPart::multiply,
                               IterationPart::otherStages})
        parts[stage] = 0;
      parts[IterationPart::exactSums] = called;
    } else {
      parts[IterationPart::otherStages] += std::max(0.0, called - all);
    }
    parts[IterationPart::rest] = std::max(0.0, seconds - parts.total());
    return parts;
  }
  // The first iteration begins.
  void begin(const StageTimings& stages, double maps, double transforms) {
    regularizer_ = told_ = 0;
    lap(stages, maps, transforms, 0, false);
  }

 private:
  double regularizer_ = 0;
  // As they were when the last iteration ended.
  double interpolation_ = 0, fft_ = 0, multiply_ = 0, stages_ = 0, maps_ = 0, transforms_ = 0, told_ = 0;
};

}  // namespace spokelab
