// The backends on which this program can reconstruct. The CPU is always available; the CUDA backend
// is a module that is loaded at run time. If the module, the driver, a library or a device is
// missing, the program continues without it and says why. Plug-ins (engine/nufft/plugin) are
// further backends, found in $SPOKELAB_PLUGINS, or in the user's folder and in spokelab/plugins
// beside the library.
//
// The module (libspokelab_cuda.so, beside the executable or in ../lib*/spokelab) exports
//   extern "C" spokelab::Backend* spokelabCudaBackend(char* reason, std::size_t reasonSize);
// (cuda/backend.h): a backend owned by the caller, or null with the reason (zero-terminated) filled
// in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/nufft/plugin/plugin_folders.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct BackendBadge {
  std::string name;  // "cpu", "cuda", a plug-in's name, or the file of one that was refused
  std::string text;  // what it is, or why it cannot be used
  bool usable = false;
};

class Backends {
 public:
  enum class Which { all, cpu };
  // all: loads the CUDA module unless the environment variable SPOKELAB_CUDA_MODULE is "none"; if
  // that names a file, it is loaded instead of the one beside the program. Never throws for a
  // missing GPU.
  explicit Backends(Which which = Which::all);

  const std::vector<Backend*>& all() const { return all_; }  // usable ones, CPU first, plug-ins last
  const std::vector<BackendBadge>& badges() const { return badges_; }  // one for each kind, in that order
  const std::vector<FoundPlugin>& plugins() const { return plugins_; }

 private:
  std::unique_ptr<Backend> cpu_, cuda_;
  std::vector<FoundPlugin> plugins_;
  std::vector<std::unique_ptr<Backend>> pluginBackends_;
  std::vector<Backend*> all_;
  std::vector<BackendBadge> badges_;
};

// The folders that are searched for plug-ins.
PluginPlaces pluginPlaces();

// Name, version, licence and file of each, or why it was refused.
nlohmann::json pluginsToJson(const std::vector<FoundPlugin>& plugins);

}  // namespace spokelab
