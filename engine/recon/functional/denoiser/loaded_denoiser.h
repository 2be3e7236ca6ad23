// A denoiser's code, loaded into this process. It runs in a child (denoiser_process.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/recon/options/denoiser.h"

namespace spokelab {

class LoadedDenoiser {
 public:
  virtual ~LoadedDenoiser() = default;
  // images: of the request that it was made for. Returns R, or NaN. Throws Error.
  virtual double apply(double strength, cfloat* images) = 0;
  virtual std::string title() const = 0;  // "median 1.0"
};

// Called before each step ("load", "describe", "plan") with the socket to the parent process.
using DenoiserStep = void (*)(int socket, const char* step);

// Loads `file`: a shared object (spokelab_denoiser.h), Python or an ONNX model. code: the shared
// object to load, which is `file` itself or the module that runs Python files. socket: for `tell`.
// Throws Error.
std::unique_ptr<LoadedDenoiser> loadDenoiser(const std::filesystem::path& file,
                                             const std::filesystem::path& code,
                                             const DenoiserRequest& request, int socket, DenoiserStep tell);

}  // namespace spokelab
