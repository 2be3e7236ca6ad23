#include "cuda/device/device.h"

#include <dlfcn.h>

#include <fstream>
#include <sstream>

#include "cuda/device/buffer.h"
#include "cuda/device/check.h"
#include "cuda/device/stream.h"

namespace spokelab::gpu {
namespace {

// Compute capability with 32-bit integer and 64-bit float atomics and opt-in shared memory.
constexpr int minMajor = 7;

// 13000 -> "13.0".
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// The driver's own number ("580.159.04") from its management library, which comes with every
// driver.
std::string driverVersion(int servesCuda) {
  if (void* library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    using Init = int (*)();
    using Version = int (*)(char*, unsigned);
    const auto init = reinterpret_cast<Init>(dlsym(library, "nvmlInit_v2"));
    const auto version = reinterpret_cast<Version>(dlsym(library, "nvmlSystemGetDriverVersion"));
    const auto shutdown = reinterpret_cast<Init>(dlsym(library, "nvmlShutdown"));
    char text[80] = "";
    const bool read = init && version && shutdown && init() == 0 && version(text, sizeof text) == 0;
    if (read) shutdown();
    dlclose(library);
    if (read && *text) return text;
  }
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.1 ...".
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word, text;
  while (file >> word)
    if (word == "Module" && file >> text) return text;
  return "for CUDA " + versionText(servesCuda);
}

bool driverLibraryFound() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != nullptr;
}

}  // namespace

std::optional<DeviceInfo> findDevice(std::string& reason) {
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
  cudaDeviceProp properties{};
  const cudaError_t state = found != cudaSuccess ? found : cudaGetDeviceProperties(&properties, 0);
  if (state != cudaSuccess) {
    reason = std::string("The NVIDIA GPU does not answer: ") + cudaGetErrorString(state);
    return std::nullopt;
  }
  if (properties.major < minMajor) {
    reason = std::string(properties.name) + " is too old: compute capability " +
             std::to_string(properties.major) + "." + std::to_string(properties.minor) + ", " +
             std::to_string(minMajor) + ".0 is needed";
    return std::nullopt;
  }
  // Makes the context, which fails where the device is taken or broken.
  const cudaError_t context = cudaFree(nullptr);
  if (context != cudaSuccess) {
    reason = std::string("The NVIDIA GPU cannot be used: ") + cudaGetErrorString(context);
    return std::nullopt;
  }
  DeviceInfo info;
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
  info.limits.major = properties.major;
  info.limits.minor = properties.minor;
  return info;
}

std::int64_t freeMemory() {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "asking for free memory");
  return std::int64_t(available);
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
