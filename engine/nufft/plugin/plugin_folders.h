// The folders of plug-ins, and their contents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/plugin/plugin_info.h"

namespace spokelab {

inline constexpr const char* pluginsVariable = "SPOKELAB_PLUGINS";
// The module that serves plug-ins in Python (core/modules).
inline constexpr const char* pythonHostName = "libspokelab_python_plugins.so";

struct PluginPlaces {
  std::vector<std::filesystem::path> folders;
  std::filesystem::path pythonHost;  // the shared object that serves plug-ins in Python; empty: none
};

// A file in a folder of plug-ins, or a file that is named in place of a folder: a plug-in, or the
// reason why it is not one.
struct FoundPlugin {
  std::filesystem::path file;
  std::optional<PluginInfo> info;
  std::string refused;
};

// The folders of $SPOKELAB_PLUGINS, separated by ':' ("none": no plug-ins); where it is not set,
// the user's (plugins in userData()) and `system`, in this order.
std::vector<std::filesystem::path> pluginFolders(const std::filesystem::path& system);

// Files *.so and *.py of the folders by their names, each described in a child process. Of two
// plug-ins with one name the first is taken. Throws Cancelled.
std::vector<FoundPlugin> findPlugins(const PluginPlaces& places, double seconds, const Progress& progress);

}  // namespace spokelab
