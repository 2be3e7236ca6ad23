// The clock and the ceilings of the GPU bench: device time from events on one stream, copy bandwidth, cuFFT alone, and
// what the device has free.
#pragma once

#include <cuda_runtime.h>
#include <cufft.h>

#include <algorithm>
#include <vector>

#include "engine/core/array.h"
#include "tests/bench/gpu_cases.h"

namespace spokelab::bench {

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

// One stream for everything, ours and the peer's.
inline cudaStream_t benchStream() {
  static cudaStream_t stream = [] {
    cudaStream_t s = nullptr;
    require(cudaStreamCreate(&s), "making a stream");
    return s;
  }();
  return stream;
}

// Device time of `work` in seconds.
template <class Work>
inline double eventSeconds(Work&& work) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    require(cudaEventCreate(&begin), "making an event");
    require(cudaEventCreate(&end), "making an event");
  }
  require(cudaEventRecord(begin, benchStream()), "recording");
  work(benchStream());
  require(cudaEventRecord(end, benchStream()), "recording");
  require(cudaEventSynchronize(end), "waiting");
  float ms = 0;
  require(cudaEventElapsedTime(&ms, begin, end), "reading an event");
  return ms * 1e-3;
}

inline double copyBandwidth(int repeats) {
  constexpr std::size_t bytes = std::size_t(1) << 30;
  const DeviceArray<char> from(bytes), to(bytes);
  std::vector<double> seconds;
  for (int i = 0; i < repeats + 2; ++i)
    seconds.push_back(eventSeconds([&](cudaStream_t s) {
      require(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, s), "copying");
    }));
  return 2.0 * double(bytes) / median(seconds);
}

// cuFFT alone on this grid, in place.
inline double fftSeconds(int dims, const Index3& grid, bool dbl, int repeats) {
  cufftHandle plan = 0;
  int n[3] = {};
  for (int d = 0; d < dims; ++d) n[d] = int(grid[std::size_t(dims - 1 - d)]);
  if (cufftPlanMany(&plan, dims, n, nullptr, 1, 0, nullptr, 1, 0, dbl ? CUFFT_Z2Z : CUFFT_C2C, 1) !=
      CUFFT_SUCCESS)
    return 0;
  const DeviceArray<char> data(std::size_t(product(grid)) * (dbl ? 16 : 8));
  require(cudaMemset(data.get(), 0, data.bytes()), "clearing");
  std::vector<double> seconds;
  for (int i = 0; i < repeats + 2; ++i)
    seconds.push_back(eventSeconds([&](cudaStream_t s) {
      cufftSetStream(plan, s);
      if (dbl)
        cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex*>(data.get()),
                     reinterpret_cast<cufftDoubleComplex*>(data.get()), CUFFT_FORWARD);
      else
        cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(data.get()),
                     reinterpret_cast<cufftComplex*>(data.get()), CUFFT_FORWARD);
    }));
  cufftDestroy(plan);
  return median(seconds);
}

// What the device has free once pools have given back what they keep for later.
inline std::int64_t freeMemory() {
  require(cudaDeviceSynchronize(), "waiting");
  cudaMemPool_t pool = nullptr;
  require(cudaDeviceGetDefaultMemPool(&pool, 0), "asking for the memory pool");
  require(cudaMemPoolTrimTo(pool, 0), "trimming the memory pool");
  std::size_t free = 0, total = 0;
  require(cudaMemGetInfo(&free, &total), "asking for memory");
  return std::int64_t(free);
}

}  // namespace spokelab::bench
