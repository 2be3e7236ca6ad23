#include "engine/nufft/plugin/plugin_folders.h"

#include <algorithm>
#include <cstdlib>
#include <future>

#include "engine/core/user_folder.h"
#include "engine/nufft/plugin/plugin_probe.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* pythonEnding = ".py";

std::vector<fs::path> candidatesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  if (fs::is_regular_file(folder, failed)) return {folder};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const fs::path& file = entry.path();
    std::error_code gone;
    if ((file.extension() == ".so" || file.extension() == pythonEnding) && entry.is_regular_file(gone))
      files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

FoundPlugin look(const fs::path& file, const PluginPlaces& places, double seconds, const Progress& progress) {
  FoundPlugin found{file, {}, {}};
  const bool python = file.extension() == pythonEnding;
  if (python && places.pythonHost.empty()) {
    found.refused = "this program was installed without the part that runs plug-ins in Python";
    return found;
  }
  try {
    std::error_code failed;
    const fs::path whole = fs::absolute(file, failed);
    found.info = probePlugin(failed ? file : whole, python ? places.pythonHost : whole, seconds, progress);
  } catch (const Error& e) {
    found.refused = e.reason();
  }
  return found;
}

}  // namespace

std::vector<fs::path> pluginFolders(const fs::path& system) {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv(pluginsVariable)) {
    const std::string folderList = named;
    if (folderList == "none") return folders;
    for (std::size_t begin = 0; begin <= folderList.size();) {
      const std::size_t end = std::min(folderList.find(':', begin), folderList.size());
      if (end > begin) folders.emplace_back(folderList.substr(begin, end - begin));
      begin = end + 1;
    }
    return folders;
  }
  if (const fs::path user = userData(); !user.empty()) folders.push_back(user / "plugins");
  if (!system.empty()) folders.push_back(system);
  return folders;
}

std::vector<FoundPlugin> findPlugins(const PluginPlaces& places, double seconds, const Progress& progress) {
  // All plug-ins are probed at the same time, so that one that hangs does not delay the others.
  std::vector<std::future<FoundPlugin>> looks;
  for (const fs::path& folder : places.folders)
    for (const fs::path& file : candidatesIn(folder))
      looks.push_back(std::async(std::launch::async, [&places, &progress, file, seconds] {
        return look(file, places, seconds, progress);
      }));
  std::vector<FoundPlugin> plugins;
  for (std::future<FoundPlugin>& looked : looks) {
    FoundPlugin found = looked.get();
    const auto same = std::find_if(plugins.begin(), plugins.end(), [&](const FoundPlugin& other) {
      return found.info && other.info && other.info->name == found.info->name;
    });
    if (same != plugins.end()) {
      found.refused = same->file.string() + " has the same name, " + found.info->name + ", and precedes it";
      found.info.reset();
    }
    plugins.push_back(std::move(found));
  }
  return plugins;
}

}  // namespace spokelab
