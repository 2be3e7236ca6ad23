// A denoiser in a file, run in a child process: it may crash, loop or end the process there, which
// costs an Error. Images go through shared memory.
#pragma once

#include <memory>

#include "engine/recon/options/denoiser.h"

namespace spokelab {

// file: a shared object (spokelab_denoiser.h), Python (.py) or a model (.onnx). The child is
// started at the first call, and again where the images have another size. Throws Error, as
// checkDenoiserFile.
std::shared_ptr<Denoiser> makeFileDenoiser(const std::string& file);

}  // namespace spokelab
