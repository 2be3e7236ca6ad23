// The device that a thread's CUDA calls go to. Memory, streams and events belong to the device that
// was current when they were made; kernels start on a stream of the current device alone.
#pragma once

namespace spokelab::gpu {

// The device that this thread's CUDA calls go to now. Throws Error.
int currentDevice();

// Makes `device` this thread's current device, until it is changed again. Throws Error.
void useDevice(int device);

// Makes `device` this thread's current device while the object lives, then the device from before.
// It ignores CUDA's errors and never throws, so that destructors may use it.
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
