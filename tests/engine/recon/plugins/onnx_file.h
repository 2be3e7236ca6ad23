// Small ONNX models, written field by field (protocol buffers): y = factor x, and y = level x with
// the level as a second input.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace spokelab::test {

class OnnxBytes {
 public:
  OnnxBytes& number(int field, std::uint64_t value) {
    varint(std::uint64_t(field) << 3U);
    varint(value);
    return *this;
  }
  OnnxBytes& bytes(int field, const std::string& value) {
    varint(std::uint64_t(field) << 3U | 2U);
    varint(value.size());
    text += value;
    return *this;
  }
  std::string text;

 private:
  void varint(std::uint64_t value) {
    for (; value > 127; value >>= 7U) text += char((value & 127U) | 128U);
    text += char(value);
  }
};

// Of floats; sizes below 0 are open.
inline std::string onnxInput(const std::string& name, const std::vector<int>& sizes) {
  OnnxBytes shape, tensor, type, info;
  for (const int n : sizes) {
    OnnxBytes size;
    if (n < 0)
      size.bytes(2, "open" + std::to_string(-n));
    else
      size.number(1, std::uint64_t(n));
    shape.bytes(1, size.text);
  }
  tensor.number(1, 1).bytes(2, shape.text);
  type.bytes(1, tensor.text);
  return info.bytes(1, name).bytes(2, type.text).text;
}

inline std::string onnxProduct(int channels, const std::string& initializer, bool withLevel) {
  OnnxBytes node, graph, opset, model;
  node.bytes(1, "x").bytes(1, "factor").bytes(2, "y").bytes(4, "Mul");
  graph.bytes(1, node.text).bytes(2, "product");
  if (!initializer.empty()) graph.bytes(5, initializer);
  graph.bytes(11, onnxInput("x", {-1, channels, -2, -3}));
  if (withLevel) graph.bytes(11, onnxInput("factor", {1}));
  graph.bytes(12, onnxInput("y", {-1, channels, -2, -3}));
  opset.bytes(1, "").number(2, 13);
  return model.number(1, 7).bytes(7, graph.text).bytes(8, opset.text).text;
}

inline std::string scalingModel(float factor, int channels) {
  std::string raw(sizeof factor, '\0');
  std::memcpy(raw.data(), &factor, sizeof factor);
  return onnxProduct(channels, OnnxBytes().number(1, 1).number(2, 1).bytes(8, "factor").bytes(9, raw).text,
                     false);
}

inline std::string levelModel() {
  return onnxProduct(2, "", true);
}

}  // namespace spokelab::test
