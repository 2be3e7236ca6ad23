// Sums and exchanges of vectors between devices, by NCCL: over NVLink where the devices have it.
// The library is large, and most jobs run on one device: the first sum over several loads it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "engine/core/jobs/ranks.h"

namespace spokelab::gpu {

// Bytes on the device that go to a rank, or come from it.
struct DevicePiece {
  int rank = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

// Connects the devices of some ranks, one each. Starting takes most of a second, so a connection is
// kept for jobs on the same devices.
//
// All ranks make the calls below in the same order, each with its device current. The calls return
// when the data have arrived. They throw Error, and Cancelled if `progress` is asked to stop before
// all ranks have called.
class Collective {
 public:
  // All ranks call it at the same time, each with its device current. On all of them null where one
  // cannot: NCCL is not found, two ranks share a device, ...; `reason` says why. Throws Cancelled.
  static std::shared_ptr<Collective> start(Ranks& ranks, const Progress& progress, std::string& reason);
  ~Collective();
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;

  // values[i] becomes the sum of all ranks', on each of them the same bits.
  void sum(float* values, std::int64_t count, Ranks& ranks, cudaStream_t stream, const Progress& progress);
  // Two ranks must name the same number of pieces, with the same lengths, in the same order.
  void exchange(const std::vector<DevicePiece>& out, const std::vector<DevicePiece>& in, Ranks& ranks,
                cudaStream_t stream, const Progress& progress);
  // False after a call failed or was cancelled: the devices are then disconnected.
  bool isUsable() const;

 private:
  struct State;
  void finish(int result, cudaStream_t stream, const Progress& progress);
  explicit Collective(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace spokelab::gpu
