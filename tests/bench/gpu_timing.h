// The clock and the ceilings of the GPU bench: device time from events on one stream, copy
// bandwidth, cuFFT alone, and what the device has free.
#pragma once

#include <cuda_runtime.h>
#include <cufft.h>

#include <vector>

#include "engine/core/array.h"
#include "engine/core/measure/rank_test.h"
#include "tests/bench/gpu_cases.h"

namespace spokelab::bench {

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
  return 2.0 * double(bytes) / medianOf(seconds);
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
  return medianOf(seconds);
}

// Device memory that something takes at its peak, from the watch's making on: what is allocated for
// good, and the high mark of the pool of stream-ordered allocations (a library that takes its grid
// for each execution alone has it there).
class MemoryWatch {
 public:
  MemoryWatch() {
    require(cudaDeviceSynchronize(), "waiting");
    require(cudaDeviceGetDefaultMemPool(&pool_, 0), "asking for the memory pool");
    require(cudaMemPoolTrimTo(pool_, 0), "trimming the memory pool");
    std::uint64_t mark = 0;
    require(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &mark), "resetting the pool's mark");
    used_ = attribute(cudaMemPoolAttrUsedMemCurrent);
    outside_ = outside();
  }
  std::int64_t peak() const {
    require(cudaDeviceSynchronize(), "waiting");
    return outside() - outside_ + attribute(cudaMemPoolAttrUsedMemHigh) - used_;
  }

 private:
  std::int64_t attribute(cudaMemPoolAttr which) const {
    std::uint64_t value = 0;
    require(cudaMemPoolGetAttribute(pool_, which, &value), "asking the memory pool");
    return std::int64_t(value);
  }
  // Taken from the device and not by the pool.
  std::int64_t outside() const {
    std::size_t free = 0, total = 0;
    require(cudaMemGetInfo(&free, &total), "asking for memory");
    return std::int64_t(total) - std::int64_t(free) - attribute(cudaMemPoolAttrReservedMemCurrent);
  }

  cudaMemPool_t pool_ = nullptr;
  std::int64_t used_ = 0, outside_ = 0;
};

}  // namespace spokelab::bench
