// The functions of a plug-in, loaded into this process. They are called here only after the same
// code has done the same in a child process (plugin_probe.h, tune/plugins/trial.h).
#pragma once

#include <memory>

#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/plugin/spokelab_plugin.h"

namespace spokelab {

class PluginCode {
 public:
  // Throws Error if the file is not a shared object or lacks a function.
  explicit PluginCode(const std::filesystem::path& file);

  // Describes the plug-in `file` that this code serves. Throws Error if the plug-in refuses, is
  // made for another version of the interface, or describes itself wrongly.
  PluginInfo describe(const std::filesystem::path& file) const;

  decltype(&spokelab_plugin_plan) plan = nullptr;
  decltype(&spokelab_plugin_set_points) setPoints = nullptr;
  decltype(&spokelab_plugin_execute) execute = nullptr;
  decltype(&spokelab_plugin_destroy) destroy = nullptr;

 private:
  std::filesystem::path file_;
  // Loaded for the life of the process: threads and exit handlers of its libraries may run until
  // then.
  void* module_ = nullptr;
  decltype(&spokelab_plugin_describe) describe_ = nullptr;
};

}  // namespace spokelab
