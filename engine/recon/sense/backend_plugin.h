// A plug-in (engine/nufft/plugin) as a backend: its transforms, everything else on the host. Where
// its plans get a GPU's memory (PluginInfo::onGpu), the CUDA module derives a backend that leaves
// everything else to the GPU (cuda/recon/plugin).
#pragma once

#include <memory>
#include <string>

#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class PluginBackend : public Backend {
 public:
  explicit PluginBackend(const PluginInfo& info) : plugin_(info) {}

  TriedPlugin* plugin() override { return &plugin_; }
  std::string name() const override { return plugin_.info().name; }
  std::string badge() const override;
  std::string fingerprint() const override { return plugin_.info().fingerprint(); }
  // Methods are ours: a plug-in's candidates are made by pluginCandidates.
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const override { return {}; }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions&) const override {
    return {};
  }
  std::vector<NormalMethod> normalMethods(const NufftProblem&, const NufftOptions&) const override;
  // An estimate from points, samples and a grid of ratio 2: only the plug-in knows its memory.
  std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&, std::int64_t points) const override;
  AnyNufft makePlan(const NufftProblem&, const NufftOptions&) override;
  std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) override {
    return senseRunOnHost(*this, problem);
  }

 private:
  TriedPlugin plugin_;
};

// The CUDA module's function spokelabCudaPluginBackend (cuda/backend.h).
using CudaPluginBackend = Backend* (*)(const PluginInfo&, Backend& gpu);

// gpu: the GPU's backend, for a plug-in onGpu, and outlives the plug-in's; else not used. Throws
// Error where the CUDA module cannot serve it.
std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info, Backend* gpu = nullptr);

}  // namespace spokelab
