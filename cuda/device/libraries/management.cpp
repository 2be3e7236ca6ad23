#include "cuda/device/libraries/management.h"

#include <array>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include "cuda/device/device.h"

namespace spokelab::gpu {
namespace {

// The part of its interface that is used: the toolkit's header is not everywhere.
using Handle = struct nvmlDevice_st*;
struct Utilization {
  unsigned gpu, memory;  // percent
};
struct Memory {
  unsigned long long total, free, used;  // bytes
};

class Management {
 public:
  Management() : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    find(init_, "nvmlInit_v2");
    find(shutdown_, "nvmlShutdown");
    find(version_, "nvmlSystemGetDriverVersion");
    find(device_, "nvmlDeviceGetHandleByPciBusId_v2");
    find(utilization_, "nvmlDeviceGetUtilizationRates");
    find(memory_, "nvmlDeviceGetMemoryInfo");
    started_ = init_ && shutdown_ && init_() == 0;
  }
  ~Management() {
    if (started_) shutdown_();
    if (library_) dlclose(library_);
  }
  Management(const Management&) = delete;
  Management& operator=(const Management&) = delete;

  std::string driver() const {
    std::array<char, 80> text{};
    return started_ && version_ && version_(text.data(), unsigned(text.size())) == 0 ? text.data() : "";
  }

  void look(const char* bus, DeviceState& state) const {
    Handle handle = nullptr;
    if (!started_ || !device_ || device_(bus, &handle) != 0) return;
    Utilization utilization{};
    if (utilization_ && utilization_(handle, &utilization) == 0) state.load = int(utilization.gpu);
    Memory memory{};
    if (memory_ && memory_(handle, &memory) == 0) state.freeMemory = std::int64_t(memory.free);
  }

 private:
  template <class Function>
  void find(Function*& function, const char* name) {
    if (library_) function = reinterpret_cast<Function*>(dlsym(library_, name));
  }

  void* library_;
  bool started_ = false;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*version_)(char*, unsigned) = nullptr;
  int (*device_)(const char*, Handle*) = nullptr;
  int (*utilization_)(Handle, Utilization*) = nullptr;
  int (*memory_)(Handle, Memory*) = nullptr;
};

}  // namespace

std::string managedDriverVersion() {
  return Management().driver();
}

std::vector<DeviceState> managedDevices() {
  std::vector<DeviceState> states;
  states.resize(std::size_t(deviceCount()));
  if (states.empty()) return states;
  const Management management;
  for (std::size_t d = 0; d < states.size(); ++d) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, int(d)) != cudaSuccess) continue;
    states[d].name = properties.name;
    states[d].memory = std::int64_t(properties.totalGlobalMem);
    std::array<char, 32> bus{};
    if (cudaDeviceGetPCIBusId(bus.data(), int(bus.size()), int(d)) == cudaSuccess)
      management.look(bus.data(), states[d]);
  }
  return states;
}

}  // namespace spokelab::gpu
