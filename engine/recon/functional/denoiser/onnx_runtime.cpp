#include "engine/recon/functional/denoiser/onnx_runtime.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/modules/shared_library.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

// Places in the table, of version 1 and all later ones.
enum class Ort : std::size_t {
  getErrorMessage = 2,
  createEnv = 3,
  createSession = 7,
  run = 9,
  createSessionOptions = 10,
  setIntraOpNumThreads = 24,
  sessionGetInputCount = 30,
  sessionGetOutputCount = 31,
  sessionGetInputTypeInfo = 33,
  sessionGetOutputTypeInfo = 34,
  sessionGetInputName = 36,
  sessionGetOutputName = 37,
  createTensorWithData = 49,
  getTensorMutableData = 51,
  castTypeInfoToTensorInfo = 55,
  getTensorElementType = 60,
  getDimensionsCount = 61,
  getDimensions = 62,
  getTensorTypeAndShape = 65,
  createCpuMemoryInfo = 69,
  allocatorWithDefaultOptions = 78,
  releaseStatus = 93,
  releaseValue = 96
};
constexpr std::uint32_t oldestVersion = 1;
constexpr int warningsOfErrors = 3, floatElements = 1, deviceAllocator = 0, defaultMemory = 0;

struct OrtBase {
  void* const* (*api)(std::uint32_t version);
  const char* (*version)();
};

template <class... Arguments>
void* ask(void* const* api, Ort place, Arguments... arguments) {
  return reinterpret_cast<void* (*)(Arguments...)>(api[std::size_t(place)])(arguments...);
}

// Never unloaded: the process ends with it.
void* const* loadRuntime(const std::string& summary) {
  const char* const named = std::getenv(onnxRuntimeVariable);
  std::string missing;
  std::vector<std::string> places{"libonnxruntime.so.1", "libonnxruntime.so"};
  if (named && *named) places = {named};
  for (const std::string& place : places) {
    SharedLibrary library(place);
    const OrtBase* (*base)() = nullptr;
    library.find(base, "OrtGetApiBase");
    if (library.complete() && base)
      if (void* const* api = base()->api(oldestVersion)) return api;
    if (missing.empty()) missing = library.missing();
  }
  throw Error(summary,
              "ONNX Runtime, which runs such models, is not there: " +
                  (missing.empty() ? std::string("it has another interface") : missing),
              "Install libonnxruntime, or name its file by " + std::string(onnxRuntimeVariable) +
                  " (Python's package onnxruntime has one in onnxruntime/capi)");
}

std::string tensorText(const TensorShape& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t n : shape) sizes.push_back(n < 0 ? "?" : std::to_string(n));
  return "[" + joined(sizes) + "]";
}

}  // namespace

void OnnxModel::check(void* status) const {
  if (!status) return;
  const std::string why =
      reinterpret_cast<const char* (*)(void*)>(api_[std::size_t(Ort::getErrorMessage)])(status);
  ask(api_, Ort::releaseStatus, status);
  throw Error(summary_, "ONNX Runtime says: " + why,
              "Run the model in Python's onnxruntime to see whether it is complete, or use another one");
}

TensorShape OnnxModel::shapeOf(void* type) const {
  const void* tensor = nullptr;
  check(ask(api_, Ort::castTypeInfoToTensorInfo, type, &tensor));
  int element = 0;
  std::size_t axes = 0;
  if (tensor) check(ask(api_, Ort::getTensorElementType, tensor, &element));
  if (element != floatElements)
    throw Error(summary_, "an input or output is not a tensor of 32-bit floats",
                "Export the model with floats");
  check(ask(api_, Ort::getDimensionsCount, tensor, &axes));
  TensorShape shape(axes);
  if (axes > 0) check(ask(api_, Ort::getDimensions, tensor, shape.data(), axes));
  return shape;
}

OnnxModel::OnnxModel(const std::string& file, int threads, std::string summary)
    : summary_(std::move(summary)), api_(loadRuntime(summary_)) {
  void *env = nullptr, *options = nullptr, *allocator = nullptr;
  check(ask(api_, Ort::createEnv, warningsOfErrors, static_cast<const char*>("spokelab"), &env));
  check(ask(api_, Ort::createSessionOptions, &options));
  check(ask(api_, Ort::setIntraOpNumThreads, options, threads));
  check(ask(api_, Ort::createSession, env, file.c_str(), options, &session_));
  check(ask(api_, Ort::allocatorWithDefaultOptions, &allocator));
  check(ask(api_, Ort::createCpuMemoryInfo, deviceAllocator, defaultMemory, &memory_));
  const auto read = [&](Ort count, Ort name, Ort type, auto& names, auto& shapes) {
    std::size_t n = 0;
    check(ask(api_, count, session_, &n));
    for (std::size_t i = 0; i < n; ++i) {
      char* text = nullptr;
      void* info = nullptr;
      check(ask(api_, name, session_, i, allocator, &text));
      check(ask(api_, type, session_, i, &info));
      names.emplace_back(text);
      shapes.push_back(shapeOf(info));
    }
  };
  read(Ort::sessionGetInputCount, Ort::sessionGetInputName, Ort::sessionGetInputTypeInfo, inputNames_,
       inputShapes_);
  read(Ort::sessionGetOutputCount, Ort::sessionGetOutputName, Ort::sessionGetOutputTypeInfo, outputNames_,
       outputShapes_);
  if (inputNames_.empty() || outputNames_.empty())
    throw Error(summary_, "the model has no input or no output", "Use a model from image to image");
}

std::vector<float> OnnxModel::run(const std::vector<Tensor>& inputs, const TensorShape& shape) {
  std::vector<const char*> names;
  std::vector<void*> values;
  for (const Tensor& input : inputs) {
    std::size_t bytes = sizeof(float);
    for (const std::int64_t n : input.shape) bytes *= std::size_t(n);
    void* value = nullptr;
    check(ask(api_, Ort::createTensorWithData, static_cast<const void*>(memory_),
              static_cast<void*>(input.values), bytes, input.shape.data(), input.shape.size(), floatElements,
              &value));
    names.push_back(inputNames_[values.size()].c_str());
    values.push_back(value);
  }
  const char* const output = outputNames_.front().c_str();
  void *result = nullptr, *type = nullptr;
  check(ask(api_, Ort::run, session_, static_cast<void*>(nullptr), names.data(), values.data(), values.size(),
            &output, std::size_t(1), &result));
  check(ask(api_, Ort::getTensorTypeAndShape, result, &type));
  std::size_t axes = 0, count = 1;
  check(ask(api_, Ort::getDimensionsCount, type, &axes));
  TensorShape made(axes);
  if (axes > 0) check(ask(api_, Ort::getDimensions, type, made.data(), axes));
  if (made != shape)
    throw Error(
        summary_,
        "it returned the shape " + tensorText(made) + " where " + tensorText(shape) + " was asked for",
        "Use a model whose output has the size of its input");
  for (const std::int64_t n : made) count *= std::size_t(n);
  float* data = nullptr;
  check(ask(api_, Ort::getTensorMutableData, result, &data));
  std::vector<float> copy(data, data + count);
  ask(api_, Ort::releaseValue, result);
  for (void* value : values) ask(api_, Ort::releaseValue, value);
  return copy;
}

}  // namespace spokelab
