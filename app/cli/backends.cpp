#include "app/cli/backends.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cuda/backend.h"
#include "engine/core/modules/modules.h"
#include "engine/nufft/plugin/plugin_probe.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/backend_plugin.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* moduleName = "libspokelab_cuda.so";
constexpr const char* moduleVariable = "SPOKELAB_CUDA_MODULE";

// The CUDA backend, or null and the reason.
std::unique_ptr<Backend> loadCuda(std::string& reason) {
  const char* named = std::getenv(moduleVariable);
  if (named && std::string(named) == "none") {
    reason = std::string("switched off by ") + moduleVariable + " = none";
    return nullptr;
  }
  std::error_code ignored;
  for (const fs::path& place : modulePlaces(moduleName, moduleVariable)) {
    if (!fs::exists(place, ignored)) continue;
    // The module is never unloaded: it contains its backend's code.
    void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
      const char* why = dlerror();
      reason = std::string("the CUDA module cannot be loaded: ") + (why ? why : "no reason was given");
      return nullptr;
    }
    const auto make = reinterpret_cast<SpokelabCudaBackendFunction>(dlsym(module, "spokelabCudaBackend"));
    if (!make) {
      reason = "the CUDA module " + place.string() + " is of another version";
      return nullptr;
    }
    const auto share =
        reinterpret_cast<SpokelabCudaShareEngineFunction>(dlsym(module, "spokelabCudaShareEngine"));
    if (share) share(allocateBuffer, releaseBuffer, ownSpanThread);
    constexpr std::size_t reasonSize = 1024;
    std::array<char, reasonSize> text{};
    std::unique_ptr<Backend> backend(make(text.data(), text.size()));
    if (!backend) reason = text[0] ? text.data() : "the CUDA module gave no reason";
    return backend;
  }
  reason = "no CUDA module is installed";
  return nullptr;
}

}  // namespace

Backends::Backends(Which which) : cpu_(makeCpuBackend()) {
  all_.push_back(cpu_.get());
  badges_.push_back({"cpu", cpu_->badge(), true});
  if (which == Which::cpu) return;
  // Child processes examine plug-ins while the GPU starts, which takes longer.
  auto plugins =
      std::async(std::launch::async, [] { return findPlugins(pluginPlaces(), pluginSeconds(), {}); });
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
    pluginBackends_.push_back(makePluginBackend(*found.info));
    all_.push_back(pluginBackends_.back().get());
    badges_.push_back({found.info->name, all_.back()->badge(), true});
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
