// Values in device memory, for tests that hand device pointers to a plan.
#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

namespace spokelab::gputest {

template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t count) : OnDevice(std::vector<T>(count)) {}
  explicit OnDevice(const std::vector<T>& host) : bytes_(host.size() * sizeof(T)) {
    cudaMalloc(&data_, bytes_);
    write(host);
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* get() const { return static_cast<T*>(data_); }
  // host: size() values.
  void write(const std::vector<T>& host) {
    cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();  // small copies may end after the call, and other streams do not wait for them
  }
  std::vector<T> read() const {
    cudaDeviceSynchronize();
    std::vector<T> host(bytes_ / sizeof(T));
    cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost);
    return host;
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace spokelab::gputest
