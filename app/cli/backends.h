// The kinds of machine this program can reconstruct on. The CPU is always there; the CUDA backend
// is a module that is loaded at run time. Where the module, the driver, a library or a device is
// missing, the program goes on without it and says why.
//
// The module (libspokelab_cuda.so, beside the executable or in ../lib*/spokelab) exports
//   extern "C" spokelab::Backend* spokelabCudaBackend(char* reason, std::size_t reasonSize);
// (cuda/backend.h): a backend owned by the caller, or null with the reason (zero-terminated) filled
// in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/recon/backend.h"

namespace spokelab {

struct BackendBadge {
  std::string name;  // "cpu", "cuda"
  std::string text;  // what it is, or why it cannot be used
  bool usable = false;
};

class Backends {
 public:
  enum class Which { all, cpu };
  // all: loads the CUDA module unless the environment variable SPOKELAB_CUDA_MODULE is "none"; if that
  // names a file, it is loaded instead of the one beside the program. Never throws for a missing
  // GPU.
  explicit Backends(Which which = Which::all);

  const std::vector<Backend*>& all() const { return all_; }            // usable ones, CPU first
  const std::vector<BackendBadge>& badges() const { return badges_; }  // one for each kind, CPU first

 private:
  std::unique_ptr<Backend> cpu_, cuda_;
  std::vector<Backend*> all_;
  std::vector<BackendBadge> badges_;
};

}  // namespace spokelab
