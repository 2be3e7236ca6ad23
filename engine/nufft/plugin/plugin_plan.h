// A plan of a plug-in's code, for arrays in the host's memory or a GPU's. Errors of the plug-in are
// thrown with its name and step.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/nufft/nufft.h"
#include "engine/nufft/plugin/plugin_code.h"

namespace spokelab {

// Called before and after each function of the plug-in: its name in words, then nullptr.
using PluginWatcher = std::function<void(const char* step)>;

// The memory of a plan's arrays (spokelab_plugin.h). Without a stream it is the host's.
struct PluginPlace {
  int device = 0;
  void* stream = nullptr;
};

class PluginPlan {
 public:
  // Uses accuracy, alpha, threads and reproducible of the options, nothing else. Throws Error where
  // the plug-in does not serve the problem, refuses it or fails.
  PluginPlan(std::shared_ptr<const PluginCode> code, const PluginInfo& plugin, const NufftProblem& problem,
             const NufftOptions& options, PluginWatcher watcher, PluginPlace place = {});
  ~PluginPlan();
  PluginPlan(const PluginPlan&) = delete;
  PluginPlan& operator=(const PluginPlan&) = delete;

  // What it resolved, and the bytes that the plug-in told.
  const PlanInfo& info() const { return info_; }
  // axes: count coordinates each, cycles per pixel within -1/2 ... 1/2; null beyond the dimensions.
  void setPoints(std::int64_t count, const std::array<const double*, 3>& axes);
  // images [batch, z, y, x] -> samples [batch, points]
  void forward(const void* images, void* samples);
  // samples [batch, points] -> images [batch, z, y, x]
  void adjoint(const void* samples, void* images);

 private:
  // Calls a function of the plug-in; what it says against it is thrown.
  template <class Function>
  void call(const char* step, const Function& function);
  void make(const NufftProblem& problem, const PluginPlace& place);

  std::shared_ptr<const PluginCode> code_;
  PluginInfo plugin_;
  PluginWatcher watcher_;
  PlanInfo info_;
  void* plan_ = nullptr;
};

}  // namespace spokelab
