// Wraps a plug-in's plan as a Nufft. Its normal operator is always adjoint, weights, forward: a
// plug-in has no Toeplitz form.
#pragma once

#include <functional>
#include <memory>

#include "engine/nufft/nufft.h"
#include "engine/nufft/plugin/plugin_code.h"

namespace spokelab {

// Called before and after each function of the plug-in: its name in words, then nullptr.
using PluginWatcher = std::function<void(const char* step)>;

// Uses accuracy, alpha and threads of the options, nothing else. Throws Error where the plug-in
// refuses the problem or fails.
template <class Real>
std::unique_ptr<Nufft<Real>> makePluginNufft(std::shared_ptr<const PluginCode> code, const PluginInfo& info,
                                             const NufftProblem& problem, const NufftOptions& options,
                                             PluginWatcher watcher = {});

}  // namespace spokelab
