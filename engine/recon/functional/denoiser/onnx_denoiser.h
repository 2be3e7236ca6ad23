// A denoiser as an ONNX model, run by ONNX Runtime where its library is found at run time:
// $SPOKELAB_ONNXRUNTIME names it, else libonnxruntime.so of the system.
//
// The model has one input of floats [N, channels, (z,) y, x], and an output of the same shape with
// one channel or two. Channels of the input:
//   1  real and imaginary parts are images, one after the other
//   2  real and imaginary part
//   3  and the noise's standard deviation, sqrt(strength), in each pixel
// Axes of the model may be open; N may also be 1: images then follow each other. A second input, if
// there is one, is the standard deviation as a tensor with one number.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/recon/functional/denoiser/loaded_denoiser.h"

namespace spokelab {

// Throws Error where the library is missing, or the model does not fit.
std::unique_ptr<LoadedDenoiser> makeOnnxDenoiser(const std::filesystem::path& file,
                                                 const DenoiserRequest& request);

}  // namespace spokelab
