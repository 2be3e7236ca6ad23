#include "cuda/device/host_copy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/device/check.h"
#include "cuda/device/device_scope.h"
#include "cuda/device/pinned_buffer.h"
#include "engine/core/thread_pool.h"

namespace spokelab::gpu {
namespace {

// Each thread has two pieces: one is filled while the other one travels. The bus needs ten times as
// long for a piece of 2 MiB as the request takes. Four threads reach 25 GB/s on an H200's host,
// eight 43 GB/s (resources/developer/measurements/gpu-points.md).
constexpr std::size_t pieceBytes = std::size_t(2) << 20, minStagedBytes = std::size_t(8) << 20;
constexpr int maxThreads = 8, slotCount = 2 * maxThreads;

// Page-locked memory for one piece, and an event of the target device. Kept for the program's life:
// page-locking takes milliseconds.
struct Slot {
  std::mutex mutex;
  std::unique_ptr<PinnedBuffer> memory;
  cudaEvent_t moved = nullptr;

  void prepare() {
    if (!memory) memory = std::make_unique<PinnedBuffer>(pieceBytes);
    if (!moved) check(cudaEventCreateWithFlags(&moved, cudaEventDisableTiming), "making an event");
    check(cudaEventSynchronize(moved), "copying");
  }
};

// The slots of one device.
struct Slots {
  std::array<Slot, slotCount> all;
  std::atomic<unsigned> turn{0};
  Slot& next() { return all[turn++ % slotCount]; }
};

Slots& slotsOf(int device) {
  static std::mutex mutex;
  static auto* const slots = new std::map<int, Slots>;  // the driver may end before static objects do
  const std::lock_guard lock(mutex);
  return (*slots)[device];
}

bool isPageable(const void* host) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, host), "looking at an array");
  return attributes.type == cudaMemoryTypeUnregistered;
}

template <class Move>
void inPieces(std::size_t bytes, Move&& move) {
  const std::int64_t pieces = std::int64_t((bytes + pieceBytes - 1) / pieceBytes);
  const int device = currentDevice();
  Slots& slots = slotsOf(device);
  parallelTasks(pieces, std::min(maxThreads, hardwareThreads()), [&](std::int64_t p) {
    const DeviceScope here(device);  // tasks run on threads of the pool
    const std::size_t begin = std::size_t(p) * pieceBytes;
    Slot& slot = slots.next();
    const std::lock_guard lock(slot.mutex);
    slot.prepare();
    move(slot, begin, std::min(pieceBytes, bytes - begin));
  });
}

}  // namespace

void copyToDevice(void* device, const void* host, std::size_t bytes, cudaStream_t stream) {
  if (bytes < minStagedBytes || !isPageable(host)) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream), "copying to the GPU");
    return;
  }
  inPieces(bytes, [&](Slot& slot, std::size_t begin, std::size_t size) {
    std::memcpy(slot.memory->data(), static_cast<const char*>(host) + begin, size);
    check(cudaMemcpyAsync(static_cast<char*>(device) + begin, slot.memory->data(), size,
                          cudaMemcpyHostToDevice, stream),
          "copying to the GPU");
    check(cudaEventRecord(slot.moved, stream), "recording an event");
  });
}

void copyToHost(void* host, const void* device, std::size_t bytes, cudaStream_t stream) {
  if (bytes < minStagedBytes || !isPageable(host)) {
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream), "copying from the GPU");
    return;
  }
  inPieces(bytes, [&](Slot& slot, std::size_t begin, std::size_t size) {
    check(cudaMemcpyAsync(slot.memory->data(), static_cast<const char*>(device) + begin, size,
                          cudaMemcpyDeviceToHost, stream),
          "copying from the GPU");
    check(cudaEventRecord(slot.moved, stream), "recording an event");
    check(cudaEventSynchronize(slot.moved), "copying from the GPU");
    std::memcpy(static_cast<char*>(host) + begin, slot.memory->data(), size);
  });
}

}  // namespace spokelab::gpu
