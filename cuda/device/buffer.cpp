#include "cuda/device/buffer.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "cuda/device/device_scope.h"

namespace spokelab::gpu {
namespace {

// Memory is taken from the device's pool: mapping and unmapping hundreds of megabytes takes a
// millisecond, and a job does it dozens of times. Freed memory remains mapped up to this share of
// the device's memory.
constexpr std::uint64_t keptShare = 8;

struct Pool {
  cudaMemPool_t pool = nullptr;   // null: the device has none
  cudaStream_t stream = nullptr;  // of allocations alone
};

// Makes the pool of the current device.
Pool makePool(int device) {
  Pool p;
  int has = 0;
  std::size_t available = 0, total = 0;
  check(cudaDeviceGetAttribute(&has, cudaDevAttrMemoryPoolsSupported, device), "looking at the GPU");
  if (!has) return p;
  check(cudaMemGetInfo(&available, &total), "asking for free memory");
  check(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking), "making a stream");
  check(cudaDeviceGetDefaultMemPool(&p.pool, device), "asking for the memory pool");
  std::uint64_t kept = 0;  // another library of this process may keep more
  check(cudaMemPoolGetAttribute(p.pool, cudaMemPoolAttrReleaseThreshold, &kept), "asking the memory pool");
  kept = std::max(kept, std::uint64_t(total) / keptShare);
  check(cudaMemPoolSetAttribute(p.pool, cudaMemPoolAttrReleaseThreshold, &kept), "preparing the memory pool");
  return p;
}

const Pool& poolOf(int device) {
  static std::mutex mutex;
  static auto* const pools = new std::map<int, Pool>;  // the driver may end before static objects do
  const std::lock_guard lock(mutex);
  const auto found = pools->find(device);
  if (found != pools->end()) return found->second;
  const DeviceScope here(device);
  return pools->emplace(device, makePool(device)).first->second;
}

std::int64_t bytesOf(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, which, &bytes), "asking the memory pool");
  return std::int64_t(bytes);
}

}  // namespace

std::int64_t freeMemory() {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "asking for free memory");
  const cudaMemPool_t pool = poolOf(currentDevice()).pool;
  if (!pool) return std::int64_t(available);
  return std::int64_t(available) + bytesOf(pool, cudaMemPoolAttrReservedMemCurrent) -
         bytesOf(pool, cudaMemPoolAttrUsedMemCurrent);
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  reserve(bytes);
}

DeviceMemory::~DeviceMemory() {
  release();
}

void DeviceMemory::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  release();
  device_ = currentDevice();
  if (const Pool& pool = poolOf(device_); pool.pool) {
    check(cudaMallocAsync(&data_, bytes, pool.stream), "allocating GPU memory");
    bytes_ = bytes;
    check(cudaStreamSynchronize(pool.stream), "allocating GPU memory");
    return;
  }
  check(cudaMalloc(&data_, bytes), "allocating GPU memory");
  bytes_ = bytes;
}

void DeviceMemory::release() {
  if (!data_) return;
  const DeviceScope here(device_);
  if (const Pool& pool = poolOf(device_); pool.pool) {
    cudaDeviceSynchronize();
    cudaFreeAsync(data_, pool.stream);
  } else {
    cudaFree(data_);
  }
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace spokelab::gpu
