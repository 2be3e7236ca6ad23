// Works on samples while the rest of their file is read; set for the reading thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/scan/scan.h"

namespace spokelab {

class SampleFollower {
 public:
  virtual ~SampleFollower() = default;
  // Room for all samples is there and stays in place, as do the trajectories; samples still come.
  virtual void begin(const std::shared_ptr<const Scan>& scan) = 0;
  // The samples of a slice from `first` on have their values, for `coils` coils. Called from
  // several threads at once, for each sample of each coil once. A follower cannot rely on all
  // samples: readers report none of an array with separate real and imaginary parts, for example.
  virtual void arrived(int frame, int slice, std::int64_t first, std::int64_t count, int coils) = 0;
  // Samples that have arrived get other values.
  virtual void changed() = 0;
};

// This thread's follower; null without one.
SampleFollower* activeSampleFollower() noexcept;

class SampleFollowScope {
 public:
  explicit SampleFollowScope(SampleFollower* follower) noexcept;
  ~SampleFollowScope();
  SampleFollowScope(const SampleFollowScope&) = delete;
  SampleFollowScope& operator=(const SampleFollowScope&) = delete;

 private:
  SampleFollower* before_;
};

// Tells the follower of this thread, where there is one.
void tellSamplesChange();

}  // namespace spokelab
