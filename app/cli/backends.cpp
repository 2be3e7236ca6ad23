#include "app/cli/backends.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cuda/backend.h"
#include "engine/recon/backend_cpu.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* moduleName = "libspokelab_cuda.so";
constexpr const char* moduleVariable = "SPOKELAB_CUDA_MODULE";

fs::path programFolder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path(".") : program.parent_path();
}

// Of the file that holds this code: the program, or libspokelab.so.
fs::path codeFolder() {
  static const char here = 0;
  Dl_info info{};
  std::error_code failed;
  if (!dladdr(&here, &info) || !info.dli_fname) return {};
  return fs::canonical(info.dli_fname, failed).parent_path();
}

// Where the module may lie: named by the user, beside the program or the library (build tree), or
// installed.
std::vector<fs::path> modulePlaces() {
  if (const char* named = std::getenv(moduleVariable)) return {fs::path(named)};
  const fs::path folder = programFolder(), code = codeFolder();
  std::vector<fs::path> places = {folder / moduleName, code / moduleName, code / "spokelab" / moduleName};
  for (const char* library : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
    places.push_back(folder.parent_path() / library / "spokelab" / moduleName);
  return places;
}

// The CUDA backend, or null and the reason.
std::unique_ptr<Backend> loadCuda(std::string& reason) {
  const char* named = std::getenv(moduleVariable);
  if (named && std::string(named) == "none") {
    reason = std::string("switched off by ") + moduleVariable + " = none";
    return nullptr;
  }
  std::error_code ignored;
  for (const fs::path& place : modulePlaces()) {
    if (!fs::exists(place, ignored)) continue;
    // The module stays loaded for the life of the program: its backend's code lies in it.
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
  std::string reason;
  cuda_ = loadCuda(reason);
  if (cuda_) {
    all_.push_back(cuda_.get());
    badges_.push_back({"cuda", cuda_->badge(), true});
  } else {
    badges_.push_back({"cuda", "No GPU: " + reason, false});
  }
}

}  // namespace spokelab
