#include "engine/recon/options/denoiser.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/error.h"

namespace spokelab {

SharedDenoiser::SharedDenoiser() = default;
SharedDenoiser::SharedDenoiser(std::shared_ptr<Denoiser> denoiser) : denoiser_(std::move(denoiser)) {
}
SharedDenoiser::SharedDenoiser(const SharedDenoiser& other) = default;
SharedDenoiser& SharedDenoiser::operator=(const SharedDenoiser& other) = default;
SharedDenoiser::~SharedDenoiser() = default;
Denoiser* SharedDenoiser::get() const {
  return denoiser_.get();
}

void checkDenoiserFile(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string ending = path.extension().string();
  const std::string summary = "Cannot use the denoiser " + file;
  if (ending != ".so" && ending != ".py" && ending != ".onnx")
    throw Error(summary, "its name does not end with .so, .py or .onnx",
                "Give a plug-in in C, one in Python, or an ONNX model");
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    throw Error(summary, "there is no such file", "Check its name and folder");
}

}  // namespace spokelab
