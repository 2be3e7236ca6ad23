// The functions of ONNX Runtime's C interface that a denoiser needs. Its table of functions only
// grows, so that a place in it means the same in all versions; the library is not needed to build.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spokelab {

inline constexpr const char* onnxRuntimeVariable = "SPOKELAB_ONNXRUNTIME";

// Sizes of a tensor; an open axis is negative.
using TensorShape = std::vector<std::int64_t>;

// One model. Throws Error, whose summary is `summary`.
class OnnxModel {
 public:
  OnnxModel(const std::string& file, int threads, std::string summary);

  const std::vector<TensorShape>& inputs() const { return inputShapes_; }
  const std::vector<TensorShape>& outputs() const { return outputShapes_; }

  struct Tensor {
    float* values;
    TensorShape shape;
  };
  // The values of the first output, which has to have `shape`.
  std::vector<float> run(const std::vector<Tensor>& inputs, const TensorShape& shape);

 private:
  void check(void* status) const;
  TensorShape shapeOf(void* type) const;

  std::string summary_;
  void* const* api_ = nullptr;
  void* session_ = nullptr;
  void* memory_ = nullptr;
  std::vector<std::string> inputNames_, outputNames_;
  std::vector<TensorShape> inputShapes_, outputShapes_;
};

}  // namespace spokelab
