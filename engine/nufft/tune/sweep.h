// Times every (alpha, width) pair asked for, whether it meets the accuracy or not: the data of the
// charts.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct SweepRequest {
  TuneRequest base;
  std::vector<double> alphas;  // empty: fastAlphas
  // empty: for each alpha the smallest width that meets base.options.accuracy.
  std::vector<double> widths;
};

// Each candidate is handed to `seen` when it has been timed (on the calling thread).
TuneResult sweep(std::span<NufftBackend* const> backends, const SweepRequest& request,
                 const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
