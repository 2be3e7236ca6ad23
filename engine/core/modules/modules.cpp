#include "engine/core/modules/modules.h"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

namespace spokelab {
namespace {

namespace fs = std::filesystem;

fs::path programFolder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path(".") : program.parent_path();
}

// The folder of the file with this code: the program, or libspokelab.so.
fs::path codeFolder() {
  static const char here = 0;
  Dl_info info{};
  std::error_code failed;
  if (!dladdr(&here, &info) || !info.dli_fname) return {};
  return fs::canonical(info.dli_fname, failed).parent_path();
}

}  // namespace

std::vector<fs::path> modulePlaces(const std::string& file, const char* variable) {
  if (const char* named = variable ? std::getenv(variable) : nullptr) return {fs::path(named)};
  const fs::path folder = programFolder(), code = codeFolder();
  std::vector<fs::path> places = {folder / file, code / file, code / "spokelab" / file};
  for (const char* library : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
    places.push_back(folder.parent_path() / library / "spokelab" / file);
  return places;
}

fs::path installedModule(const std::string& file) {
  std::error_code ignored;
  for (const fs::path& place : modulePlaces(file, nullptr))
    if (fs::exists(place, ignored)) return place;
  return {};
}

}  // namespace spokelab
