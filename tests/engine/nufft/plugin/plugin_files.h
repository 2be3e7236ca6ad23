// The plug-ins that tests/plugins builds, each in a separate folder.
#pragma once

#include <filesystem>
#include <string>

#include "engine/nufft/plugin/plugin_probe.h"

namespace spokelab::test {

inline std::filesystem::path pluginFolder(const std::string& name) {
  return std::filesystem::path(SPOKELAB_BINARY_DIR) / "tests" / "plugins" / name;
}

inline std::filesystem::path pluginFile(const std::string& name) {
  return pluginFolder(name) / (name + ".so");
}

inline PluginInfo probed(const std::string& name, double seconds = 10) {
  return probePlugin(pluginFile(name), pluginFile(name), seconds, {});
}

}  // namespace spokelab::test
