// The cases of the GPU bench (point_cases.h), and device memory for them.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/point_cases.h"

namespace spokelab::bench {

inline void require(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(code));
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : bytes_(count * sizeof(T)) {
    require(cudaMalloc(&data_, bytes_), "allocating");
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    require(cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice), "copying");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* get() const { return static_cast<T*>(data_); }
  std::size_t bytes() const { return bytes_; }
  std::vector<T> read() const {
    std::vector<T> host(bytes_ / sizeof(T));
    require(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost), "copying");
    return host;
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace spokelab::bench
