// Device memory that frees itself. Contents are undefined after resize().
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuda/device/check.h"
#include "cuda/device/host_copy.h"

namespace spokelab::gpu {

// Bytes that can be allocated now on the current device, those that this process keeps for its next
// allocations included.
std::int64_t freeMemory();

// Untyped owner of one allocation on the device that is current when it grows.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), bytes_(std::exchange(o.bytes_, 0)), device_(o.device_) {}
  DeviceMemory& operator=(DeviceMemory&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(bytes_, o.bytes_);
    std::swap(device_, o.device_);
    return *this;
  }
  // Grows to at least `bytes`; never shrinks, never keeps the contents when it grows. Throws Error
  // (memory).
  void reserve(std::size_t bytes);
  void release();
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  int device_ = 0;  // was current when the memory was allocated
};

// `count` elements of T on the device. Freeing waits for the device, so no kernel outlives
// its data.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::int64_t count) { resize(count); }

  void resize(std::int64_t count) {
    memory_.reserve(std::size_t(count) * sizeof(T));
    count_ = count;
  }
  void release() {
    memory_.release();
    count_ = 0;
  }
  T* data() const { return static_cast<T*>(memory_.data()); }
  std::int64_t size() const { return count_; }
  std::int64_t bytes() const { return std::int64_t(memory_.bytes()); }

  // Host to device and back, in stream order; host memory must live until the stream has passed.
  void upload(const T* host, std::int64_t count, cudaStream_t stream) {
    resize(count);
    copyToDevice(data(), host, std::size_t(count) * sizeof(T), stream);
  }
  void download(T* host, std::int64_t count, cudaStream_t stream) const {
    copyToHost(host, data(), std::size_t(count) * sizeof(T), stream);
  }
  void zero(cudaStream_t stream) {
    check(cudaMemsetAsync(data(), 0, std::size_t(count_) * sizeof(T), stream), "clearing GPU memory");
  }

 private:
  DeviceMemory memory_;
  std::int64_t count_ = 0;
};

}  // namespace spokelab::gpu
