// Wraps a plug-in's plan as a Nufft. Its normal operator is always adjoint, weights, forward: a
// plug-in has no Toeplitz form.
#pragma once

#include <memory>

#include "engine/nufft/plugin/plugin_plan.h"

namespace spokelab {

// A plan with arrays in the host's memory, or, for a plug-in onGpu, in a GPU's (gpu_plugins.h).
// Uses accuracy, alpha and threads of the options, nothing else. Throws Error where the plug-in
// refuses the problem or fails.
template <class Real>
std::unique_ptr<Nufft<Real>> makePluginNufft(std::shared_ptr<const PluginCode> code, const PluginInfo& info,
                                             const NufftProblem& problem, const NufftOptions& options,
                                             PluginWatcher watcher = {});

}  // namespace spokelab
