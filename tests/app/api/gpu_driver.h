// The GPU as a program in C sees it: device memory, streams and events by the driver's own library.
// It is loaded here, so that these tests are built without CUDA.
#pragma once

#include <QtTest>

#include <complex>
#include <string>
#include <vector>

#include "tests/app/api/c_handles.h"

namespace spokelab::test {

// cuda.h's handles.
using DevicePointer = unsigned long long;  // NOLINT(google-runtime-int): the driver's
using DriverHandle = void*;                // CUcontext, CUstream, CUevent
using HostFunction = void (*)(void* user);

struct Driver {
  static constexpr int success = 0, notReady = 600;
  int (*init)(unsigned) = nullptr;
  int (*retain)(DriverHandle*, int) = nullptr;  // the primary context, which the CUDA module uses
  int (*setCurrent)(DriverHandle) = nullptr;
  int (*createContext)(DriverHandle*, unsigned, int) = nullptr;
  int (*destroyContext)(DriverHandle) = nullptr;
  int (*allocate)(DevicePointer*, std::size_t) = nullptr;
  int (*release)(DevicePointer) = nullptr;
  int (*toDevice)(DevicePointer, const void*, std::size_t) = nullptr;
  int (*toHost)(void*, DevicePointer, std::size_t) = nullptr;
  int (*createStream)(DriverHandle*, unsigned) = nullptr;
  int (*destroyStream)(DriverHandle) = nullptr;
  int (*synchronizeStream)(DriverHandle) = nullptr;
  int (*launchHostFunction)(DriverHandle, HostFunction, void*) = nullptr;
  int (*createEvent)(DriverHandle*, unsigned) = nullptr;
  int (*destroyEvent)(DriverHandle) = nullptr;
  int (*recordEvent)(DriverHandle, DriverHandle) = nullptr;
  int (*queryEvent)(DriverHandle) = nullptr;
  std::string missing;             // why the driver cannot be used; empty: it can
  DriverHandle primary = nullptr;  // current on the thread that loaded it

  static const Driver& get();  // loaded once
};

inline void require(int code, const char* call) {
  if (code != Driver::success) qFatal("%s gives CUDA's error %d", call, code);
}

// An array of the device.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t count) : count_(count) {
    require(Driver::get().allocate(&pointer_, count * sizeof(T)), "cuMemAlloc");
  }
  explicit OnDevice(const std::vector<T>& host) : OnDevice(host.size()) { write(host); }
  ~OnDevice() { Driver::get().release(pointer_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  void* get() const { return reinterpret_cast<void*>(pointer_); }
  void write(const std::vector<T>& host) {
    require(Driver::get().toDevice(pointer_, host.data(), count_ * sizeof(T)), "cuMemcpyHtoD");
  }
  std::vector<T> read() const {
    std::vector<T> host(count_);
    require(Driver::get().toHost(host.data(), pointer_, count_ * sizeof(T)), "cuMemcpyDtoH");
    return host;
  }

 private:
  DevicePointer pointer_ = 0;
  std::size_t count_;
};

// A stream that waits for no other.
class DriverStream {
 public:
  DriverStream() {
    constexpr unsigned nonBlocking = 1;
    require(Driver::get().createStream(&stream_, nonBlocking), "cuStreamCreate");
  }
  ~DriverStream() { Driver::get().destroyStream(stream_); }
  DriverStream(const DriverStream&) = delete;
  DriverStream& operator=(const DriverStream&) = delete;
  DriverHandle get() const { return stream_; }
  void synchronize() const { require(Driver::get().synchronizeStream(stream_), "cuStreamSynchronize"); }

 private:
  DriverHandle stream_ = nullptr;
};

// The reason why a C program has no GPU; empty if it has one.
std::string whyNoGpu();

}  // namespace spokelab::test

// Skips the test function without a GPU, by name.
#define NEEDS_C_GPU()                                                     \
  if (const std::string why = spokelab::test::whyNoGpu(); !why.empty()) { \
    QSKIP(why.c_str());                                                   \
  }                                                                       \
  static_cast<void>(0)
