// A plan that has one (Nufft::coilGridder) takes all coils of a slice from samples to one image
// without a detour through the host's memory. Gridding uses it if the plan has it, else does the
// steps itself.
//   one coil:  out = A^H (w y);   several: those images combined (combine_coils.h)
#pragma once

#include <span>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/coils/coil_mixer.h"
#include "engine/recon/options/options.h"

namespace spokelab {

template <class Real>
class CoilGridder {
 public:
  virtual ~CoilGridder() = default;
  // Sets how several coils become one image, from the next call on; block: size of an adaptive
  // combination's block, in pixels. Returns false and changes nothing where this plan cannot: too
  // many coils, too little memory.
  virtual bool setCombination(Combination combination, int block, std::int64_t coils) = 0;
  // Sets one weight a point, N^{-d} included, until the next call. Call it after setPoints.
  virtual void setGriddingWeights(std::span<const double> weights) = 0;
  // coils: samples of each coil, in the order of the points, in host memory. mixer: finds copies of
  // some of them in this plan's memory; null: there are none. out: [pixel] in host memory. Throws
  // Error; Cancelled.
  virtual void gridCoils(std::span<const std::complex<Real>* const> coils, const CoilMixer* mixer,
                         std::complex<Real>* out, const Progress& progress) = 0;
  // The same for all sets of points of a plan for several (nufft/problem/plan_points.h), whose
  // batch is the coils. values: [set][coil], host memory; out: pixels of each set. The weights
  // belong to the points of all sets.
  virtual void gridSets(std::span<const std::complex<Real>* const> values,
                        std::span<std::complex<Real>* const> out, const Progress& progress) = 0;
};

}  // namespace spokelab
