#include "cuda/device/device.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cuda/device/buffer.h"
#include "cuda/device/check.h"
#include "cuda/device/compiled_code.h"
#include "cuda/device/libraries/management.h"
#include "cuda/device/stream.h"
#include "engine/core/memory/memory_ceiling.h"

namespace spokelab::gpu {
namespace {

// Compute capability, as major * 10 + minor: what the module is compiled for at least.
constexpr int minCapability = 75;

// For tests: SPOKELAB_CUDA_LIMITS=7.5, 8.0 or 8.6 makes a newer device decline what such a device
// lacks. The module should be compiled for it as well (CMAKE_CUDA_ARCHITECTURES=75-virtual,
// 86-virtual).
void takeLimitsFromEnvironment(DeviceLimits& limits) {
  struct Capability {
    int capability, sharedPerBlock, sharedPerMultiprocessor;
  };
  constexpr int kibi = 1024;
  constexpr Capability capabilities[] = {
      {75, 64 * kibi, 64 * kibi}, {80, 163 * kibi, 164 * kibi}, {86, 99 * kibi, 100 * kibi}};
  const char* const asked = std::getenv("SPOKELAB_CUDA_LIMITS");
  for (const Capability& c : capabilities) {
    if (!asked || asked != capabilityText(c.capability)) continue;
    limits.capability = c.capability;
    limits.sharedPerBlock = std::min(limits.sharedPerBlock, c.sharedPerBlock);
    limits.sharedPerMultiprocessor = std::min(limits.sharedPerMultiprocessor, c.sharedPerMultiprocessor);
  }
}

// 13000 -> "13.0".
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// The first word that begins with a digit and has a point, of the driver's own file: "NVRM version:
// NVIDIA UNIX x86_64 Kernel Module  580.159.04 ..." or "NVRM version: NVIDIA UNIX Open Kernel
// Module for x86_64  580.159.04 ...".
std::string versionInKernelFile() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (word.front() >= '0' && word.front() <= '9' && word.find('.') != std::string::npos) return word;
  return {};
}

// The driver's version ("580.159.04"). It is read from a file: the management library, part of
// every driver, takes longer to start, and a small job would wait for it.
std::string driverVersion(int servesCuda) {
  if (const std::string text = versionInKernelFile(); !text.empty()) return text;
  if (std::string version = managedDriverVersion(); !version.empty()) return version;
  return "for CUDA " + versionText(servesCuda);
}

// The library is not closed: the runtime library opens it next and would map it again.
bool driverLibraryFound() {
  static void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return library != nullptr;
}

}  // namespace

std::string capabilityText(int capability) {
  return std::to_string(capability / 10) + '.' + std::to_string(capability % 10);
}

int deviceCount() {
  int count = 0;
  if (!driverLibraryFound() || cudaGetDeviceCount(&count) != cudaSuccess) return 0;
  return count;
}

std::optional<DeviceInfo> findDevice(std::string& reason, int index) {
  if (!driverLibraryFound()) {
    reason = "No NVIDIA driver: libcuda.so.1 not found";
    return std::nullopt;
  }
  int serves = 0, built = 0, count = 0;
  cudaDriverGetVersion(&serves);
  cudaRuntimeGetVersion(&built);
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaErrorInsufficientDriver) {
    reason = "The NVIDIA driver is too old: it serves CUDA " + versionText(serves) + ", this program needs " +
             versionText(built);
    return std::nullopt;
  }
  if (found == cudaErrorNoDevice || (found == cudaSuccess && count == 0)) {
    reason = "No NVIDIA GPU found";
    return std::nullopt;
  }
  if (found == cudaSuccess && index >= count) {  // asking for it would leave an error behind
    reason = "the machine has " + std::to_string(count) + " GPUs, numbered from 0";
    return std::nullopt;
  }
  cudaDeviceProp properties{};
  const cudaError_t state = found != cudaSuccess ? found : cudaGetDeviceProperties(&properties, index);
  if (state != cudaSuccess) {
    reason = std::string("The NVIDIA GPU does not answer: ") + cudaGetErrorString(state);
    return std::nullopt;
  }
  const int capability = properties.major * 10 + properties.minor;
  if (capability < minCapability) {
    reason = std::string(properties.name) + " is too old: compute capability " + capabilityText(capability) +
             ", " + capabilityText(minCapability) + " is needed";
    return std::nullopt;
  }
  // Makes the context, which fails where the device is taken or broken.
  const cudaError_t chosen = cudaSetDevice(index);
  const cudaError_t context = chosen != cudaSuccess ? chosen : cudaFree(nullptr);
  if (context != cudaSuccess) {
    reason = std::string("The NVIDIA GPU cannot be used: ") + cudaGetErrorString(context);
    return std::nullopt;
  }
  DeviceInfo info;
  info.index = index;
  info.name = properties.name;
  info.memory = std::int64_t(properties.totalGlobalMem);
  info.driver = driverVersion(serves);
  int fft = 0;
  cufftGetVersion(&fft);
  info.libraries = "CUDA " + versionText(built) + ", cuFFT " + std::to_string(fft);
  info.limits.multiprocessors = properties.multiProcessorCount;
  info.limits.sharedPerBlock = int(properties.sharedMemPerBlockOptin);
  info.limits.sharedPerMultiprocessor = int(properties.sharedMemPerMultiprocessor);
  info.limits.l2Bytes = properties.l2CacheSize;
  info.limits.capability = capability;
  takeLimitsFromEnvironment(info.limits);
  // A kernel that was not compiled for this device, or newer, shows it here and not in the first
  // job.
  const CompiledCode code = compiledCode();
  if (!code.missing.empty()) {
    reason = std::string(properties.name) + " cannot run this build: " + code.missing;
    return std::nullopt;
  }
  // Code for an older device lacks what the newer one could do.
  info.limits.capability = std::min(info.limits.capability, code.capability);
  return info;
}

MemoryCeiling deviceCopyCeiling(const Progress& progress) {
  // Far more than the L2 cache holds.
  constexpr std::int64_t bytes = std::int64_t{1} << 28;
  constexpr int warmUps = 3, repeats = 15;
  const DeviceBuffer<char> from(bytes), to(bytes);
  const Stream stream;
  Event start, end;
  std::vector<double> seconds;
  for (int i = 0; i < warmUps + repeats; ++i) {
    progress.report(double(i) / (warmUps + repeats), "copying memory");
    start.record(stream.get());
    check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()),
          "copying on the GPU");
    end.record(stream.get());
    end.synchronize();
    if (i >= warmUps) seconds.push_back(end.secondsSince(start));
  }
  return ceilingFrom(std::move(seconds), 2 * bytes, 0);
}

}  // namespace spokelab::gpu
