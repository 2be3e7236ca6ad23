// What a plan may offer beside Nufft (by dynamic_cast): all coils of a slice from samples to one
// image without a detour through the host's memory. gridScan() takes it where it is there, and does
// the steps itself where it is not.
//   one coil:  out = A^H (w y);   several: those images combined (combine_coils.h)
#pragma once

#include <span>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/options/options.h"
#include "engine/recon/prepare/coil_mixer.h"

namespace spokelab {

template <class Real>
class CoilGridder {
 public:
  virtual ~CoilGridder() = default;
  // How several coils become one image, from the next call on; block: of an adaptive combination, in
  // pixels. False, and nothing is changed, where this plan cannot: so many coils, too little memory.
  virtual bool setCombination(Combination how, int block, std::int64_t coils) = 0;
  // One weight a point, N^{-d} folded in; kept until the next call. After setPoints.
  virtual void setGriddingWeights(std::span<const double> weights) = 0;
  // coils: samples of each, in the order of the points, in host memory; mixer: has copies of some in this
  // plan's memory, or null. out: pixels, host memory. Fills `timings`. Throws Error; Cancelled.
  virtual void gridCoils(std::span<const std::complex<Real>* const> coils, const CoilMixer* mixer,
                         std::complex<Real>* out, StageTimings& timings, const Progress& progress) = 0;
  // The same of all sets of points of a plan for several (nufft/plan/point_sets.h), whose batch are the
  // coils. values: [set][coil], host memory; out: pixels of each set. Weights are those of all sets'
  // points.
  virtual void gridSets(std::span<const std::complex<Real>* const> values,
                        std::span<std::complex<Real>* const> out, StageTimings& timings,
                        const Progress& progress) = 0;
};

}  // namespace spokelab
