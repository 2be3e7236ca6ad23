#include "app/cli/backends.h"

#include <array>
#include <future>

#include <nlohmann/json.hpp>

#include "cuda/backend.h"
#include "engine/core/error.h"
#include "engine/core/measure/energy.h"
#include "engine/core/modules/cuda_module.h"
#include "engine/core/modules/modules.h"
#include "engine/nufft/plugin/plugin_probe.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/backend_plugin.h"

namespace spokelab {
namespace {

// The CUDA backend, or null and the reason.
std::unique_ptr<Backend> loadCuda(std::string& reason) {
  const auto make =
      reinterpret_cast<SpokelabCudaBackendFunction>(cudaModuleFunction("spokelabCudaBackend", reason));
  if (!make) return nullptr;
  constexpr std::size_t reasonSize = 1024;
  std::array<char, reasonSize> text{};
  std::unique_ptr<Backend> backend(make(text.data(), text.size()));
  if (!backend) reason = text[0] ? text.data() : "the CUDA module gave no reason";
  return backend;
}

// The plug-in's backend: in a GPU's memory where it takes arrays there. Throws Error.
std::unique_ptr<Backend> backendOf(PluginInfo info, Backend* gpu) {
  info.onGpu = info.takesGpu() && (gpu || !info.takesHost());
  return makePluginBackend(info, gpu);
}

}  // namespace

Backends::Backends(Which which) : cpu_(makeCpuBackend()) {
  all_.push_back(cpu_.get());
  badges_.push_back({"cpu", cpu_->badge(), true});
  if (which == Which::cpu) return;
  // Child processes examine plug-ins, and NVML is loaded, while the GPU starts, which takes longer.
  auto plugins =
      std::async(std::launch::async, [] { return findPlugins(pluginPlaces(), pluginSeconds(), {}); });
  const auto counters = std::async(std::launch::async, startGpuCounters);
  std::string reason;
  cuda_ = loadCuda(reason);
  if (cuda_) {
    all_.push_back(cuda_.get());
    badges_.push_back({gpuBackend, cuda_->badge(), true});
  } else {
    badges_.push_back({gpuBackend, "No GPU: " + reason, false});
    noteUnusableBackend(gpuBackend, badges_.back().text);
  }
  plugins_ = plugins.get();
  for (const FoundPlugin& found : plugins_) {
    if (!found.info) {
      badges_.push_back({found.file.filename().string(), "Plug-in refused: " + found.refused, false});
      continue;
    }
    try {
      pluginBackends_.push_back(backendOf(*found.info, cuda_.get()));
      all_.push_back(pluginBackends_.back().get());
      badges_.push_back({found.info->name, all_.back()->badge(), true});
    } catch (const Error& e) {
      badges_.push_back({found.info->name, "Plug-in refused: " + e.reason(), false});
    }
  }
}

PluginPlaces pluginPlaces() {
  PluginPlaces places;
  places.folders = pluginFolders(installedModule("plugins"));
  places.pythonHost = installedModule(pythonHostName);
  return places;
}

nlohmann::json pluginsToJson(const std::vector<FoundPlugin>& plugins) {
  nlohmann::json list = nlohmann::json::array();
  for (const FoundPlugin& found : plugins) {
    nlohmann::json one = {{"file", found.file.string()}};
    if (found.info)
      one.update({{"name", found.info->name},
                  {"version", found.info->version},
                  {"licence", found.info->license},
                  {"summary", found.info->summary}});
    else
      one["refused"] = found.refused;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace spokelab
