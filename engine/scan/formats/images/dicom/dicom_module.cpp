#include <dlfcn.h>

#include <mutex>

#include "engine/core/error.h"
#include "engine/core/modules/modules.h"
#include "engine/scan/formats/images/dicom/dicom_tree.h"

namespace spokelab {
namespace {

constexpr const char* moduleFile = "libspokelab_dicom.so";

}  // namespace

DicomModule& dicomModule(const std::string& problem) {
  static std::mutex one;
  static DicomModule* module = nullptr;
  const std::lock_guard lock(one);
  if (module) return *module;
  // Never unloaded: it has static objects of DCMTK. Behind the usual places: the library path of
  // the program itself, which programs of the build tree have.
  std::string why;
  auto places = modulePlaces(moduleFile, nullptr);
  places.emplace_back(moduleFile);
  for (const std::filesystem::path& place : places) {
    std::error_code gone;
    if (place.has_parent_path() && !std::filesystem::exists(place, gone)) continue;
    void* const loaded = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
      const char* const said = dlerror();
      if (why.empty() && said) why = said;
      continue;
    }
    const auto make = reinterpret_cast<decltype(&spokelabDicomModule)>(dlsym(loaded, "spokelabDicomModule"));
    if (make) module = make();
    if (module) return *module;
    why = place.string() + " is of another version";
  }
  throw Error(problem, "the module for DICOM cannot be loaded" + (why.empty() ? "" : ": " + why),
              std::string("Install Spokelab again, with ") + moduleFile + " and DCMTK");
}

}  // namespace spokelab
