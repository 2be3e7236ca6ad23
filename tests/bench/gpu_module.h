// The CUDA module, loaded from a file as the program does.
#pragma once

#include <dlfcn.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "cuda/backend.h"

namespace spokelab::bench {

inline std::unique_ptr<Backend> loadCudaModule(const std::string& file) {
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) throw std::runtime_error(dlerror());
  const auto make = reinterpret_cast<SpokelabCudaBackendFunction>(dlsym(module, "spokelabCudaBackend"));
  char reason[512] = "";
  std::unique_ptr<Backend> backend(make ? make(reason, sizeof reason) : nullptr);
  if (!backend) throw std::runtime_error(reason);
  return backend;
}

}  // namespace spokelab::bench
