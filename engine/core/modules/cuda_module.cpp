#include "engine/core/modules/cuda_module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/measure/spans.h"
#include "engine/core/modules/modules.h"

namespace spokelab {
namespace {

constexpr const char* cudaModuleName = "libspokelab_cuda.so";
constexpr const char* cudaModuleVariable = "SPOKELAB_CUDA_MODULE";

class CudaModule {
 public:
  void* function(const char* name, std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (!handle_) load();
    if (!handle_) {
      reason = reason_;
      return nullptr;
    }
    void* const found = dlsym(handle_, name);
    if (!found) reason = "the CUDA module " + file_.string() + " is of another version";
    return found;
  }
  std::filesystem::path file() {
    const std::lock_guard lock(mutex_);
    return handle_ ? file_ : std::filesystem::path();
  }
  void use(const std::filesystem::path& file) {
    const std::lock_guard lock(mutex_);
    given_ = file;
  }

 private:
  std::vector<std::filesystem::path> places() const {
    if (!given_.empty()) return {given_};
    return modulePlaces(cudaModuleName, cudaModuleVariable);
  }

  void load() {
    const char* const named = std::getenv(cudaModuleVariable);
    if (given_.empty() && named && std::string(named) == "none") {
      reason_ = std::string("switched off by ") + cudaModuleVariable + " = none";
      return;
    }
    reason_ = "no CUDA module is installed";
    std::error_code ignored;
    for (const std::filesystem::path& place : places()) {
      if (!std::filesystem::exists(place, ignored)) continue;
      handle_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      const char* const why = handle_ ? nullptr : dlerror();
      if (!handle_)
        reason_ = std::string("the CUDA module cannot be loaded: ") + (why ? why : "no reason was given");
      file_ = place;
      break;
    }
    if (handle_) share();
  }

  void share() const {
    if (const auto share = reinterpret_cast<ShareCudaEngine>(dlsym(handle_, "spokelabCudaShareEngine")))
      share(allocateBuffer, releaseBuffer, ownSpanThread);
  }

  std::mutex mutex_;
  void* handle_ = nullptr;
  std::filesystem::path file_, given_;
  std::string reason_;  // where it is not loaded
};

CudaModule& cudaModule() {
  static CudaModule once;
  return once;
}

}  // namespace

void* cudaModuleFunction(const char* name, std::string& reason) {
  return cudaModule().function(name, reason);
}

std::filesystem::path cudaModuleFile() {
  return cudaModule().file();
}

void useCudaModule(const std::filesystem::path& file) {
  cudaModule().use(file);
}

}  // namespace spokelab
