// One call of a CPU plan: where its time and the bytes it moves are booked.
#pragma once

#include <cstdint>

#include "engine/core/stage_timer.h"

namespace spokelab {

struct Timeline;

// Books a call's whole time; stages inside it book their own.
class Call {
 public:
  explicit Call(StageTimings* timings, Timeline* timeline = nullptr)
      : timings_(timings), timeline_(timeline), start_(timings ? now() : 0) {
    if (timings_) *timings_ = {};
  }
  ~Call() {
    if (timings_) timings_->total = now() - start_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  void moved(Stage stage, std::int64_t bytes) const {
    if (timings_) timings_->bytes[static_cast<std::size_t>(stage)] += static_cast<double>(bytes);
  }
  StageTimings* timings() const { return timings_; }
  Timeline* timeline() const { return timeline_; }

 private:
  StageTimings* timings_;
  Timeline* timeline_;
  double start_;
};

}  // namespace spokelab
