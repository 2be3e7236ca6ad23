// The device that a thread's CUDA calls go to. Memory, streams and events belong to the device that
// was current when they were made; kernels start on a stream of the current device alone.
#pragma once

namespace spokelab::gpu {

int currentDevice();

// From now on, on this thread. Throws Error.
void useDevice(int device);

// While it lives, on this thread. Also in destructors: it does not throw.
class DeviceScope {
 public:
  explicit DeviceScope(int device) noexcept;
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0;
};

}  // namespace spokelab::gpu
