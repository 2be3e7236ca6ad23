// Frames in trains, one train after the other in memory: the frames of a train follow each other in
// time. Jumps and frequencies count inside a train only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace spokelab {

class FrameTrains {
 public:
  FrameTrains(std::int64_t frames) : lengths_{frames} {}  // one train
  // lengths: frames of each train, at least one.
  explicit FrameTrains(std::vector<std::int64_t> lengths) : lengths_(std::move(lengths)) {}

  const std::vector<std::int64_t>& lengths() const { return lengths_; }
  std::int64_t frames() const { return std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t(0)); }
  std::int64_t jumps() const { return frames() - std::int64_t(lengths_.size()); }
  std::int64_t longest() const { return *std::max_element(lengths_.begin(), lengths_.end()); }

  // call(first frame, first jump, frames) for each train that has jumps.
  template <class Call>
  void each(const Call& call) const {
    std::int64_t frame = 0, jump = 0;
    for (const std::int64_t length : lengths_) {
      if (length > 1) call(frame, jump, length);
      frame += length;
      jump += length - 1;
    }
  }

 private:
  std::vector<std::int64_t> lengths_;
};

}  // namespace spokelab
