// Other ways to compute the plans of a sweep, one step away from what the options say: another
// kernel, another source of kernel values, another implementation, another path. Each is a layer
// that is swept over the same ratios and widths, or over what its path has instead.
#pragma once

#include <string>
#include <vector>

#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct SweepBreadth {
  bool kernels = false, precomputations = false, implementations = false;
  bool paths = true;  // of a normal operator, as the tuner tries them
  bool operator==(const SweepBreadth&) const = default;
};

// "kernels,paths" and so on; "none": the plans of the options alone. Throws Error for an unknown
// word; reads an empty text as "none".
std::string breadthText(const SweepBreadth& breadth);
SweepBreadth breadthFromText(const std::string& text);

struct SweepLayer {
  NufftOptions options;  // of the request, changed in one respect
  NufftBackend* backend = nullptr;
  std::string name;  // "prolate", "linear", "cpu sparse", "toeplitz"
  SweptOver over = SweptOver::grid;
};

// Layers that differ from the request's options and could run here, without the plan of the options
// themselves. Choices that the options fix are left alone: beside a kernel that was asked for no
// other kernels are tried. Sources of kernel values are the CPU's; paths are a normal operator's.
std::vector<SweepLayer> sweepLayers(const std::vector<Backend*>& backends, const TuneRequest& request,
                                    const SweepBreadth& breadth);

// The quantity that a sweep of the request's own options runs over.
SweptOver sweptOver(const TuneRequest& request);

// The entries of `request` on each layer, in the order of the layers.
std::vector<RoundEntry> layerEntries(const std::vector<SweepLayer>& layers, const SweepRequest& request,
                                     const std::shared_ptr<TimingData>& data, const Progress& progress);

}  // namespace spokelab
