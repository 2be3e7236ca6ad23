// Other ways to compute the plans of a sweep, one step away from what the options say: another
// kernel, another source of kernel values, another implementation. Each is a layer that is swept
// over the same ratios and widths.
#pragma once

#include <string>
#include <vector>

#include "engine/nufft/tune/sweep.h"
#include "engine/recon/backend.h"

namespace spokelab {

struct SweepBreadth {
  bool kernels = false, precomputations = false, implementations = false;
  bool operator==(const SweepBreadth&) const = default;
};

// "kernels,precomputations" and so on; nothing: empty. Throws Error for an unknown word.
std::string breadthText(const SweepBreadth& breadth);
SweepBreadth breadthFromText(const std::string& text);

struct SweepLayer {
  NufftOptions options;  // of the request, changed in one respect
  NufftBackend* backend = nullptr;
  std::string name;  // "prolate", "linear", "cpu sparse"
};

// What differs from `options` and could run here, without the plan of `options` itself. What the
// options fix is left
// alone: a kernel that was asked for has no other kernels beside it. Sources of kernel values are
// the CPU's.
std::vector<SweepLayer> sweepLayers(const std::vector<Backend*>& backends, const NufftProblem& problem,
                                    const NufftOptions& options, const SweepBreadth& breadth);

// All (alpha, width) pairs of `request` on each layer. The candidates come in the order of the
// layers; best: -1.
TuneResult sweepLayers(const std::vector<SweepLayer>& layers, const SweepRequest& request,
                       const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
