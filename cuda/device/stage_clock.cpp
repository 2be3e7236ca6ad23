#include "cuda/device/stage_clock.h"

namespace spokelab::gpu {

StageClock::StageClock(StageTimings* timings, EventPool& pool, cudaStream_t stream)
    : timings_(timings), pool_(pool), stream_(stream) {
  if (timings_) pool_.at(0).record(stream_);
}

void StageClock::mark(Stage stage, double bytes) {
  if (!timings_) return;
  marks_.push_back({stage, bytes});
  pool_.at(marks_.size()).record(stream_);
}

void StageClock::finish() {
  if (!timings_) return;
  pool_.at(marks_.size()).synchronize();
  StageTimings result;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    result[marks_[i].stage] += pool_.at(i + 1).secondsSince(pool_.at(i));
    result.bytes[std::size_t(marks_[i].stage)] += marks_[i].bytes;
  }
  result.total = marks_.empty() ? 0 : pool_.at(marks_.size()).secondsSince(pool_.at(0));
  *timings_ = result;
}

}  // namespace spokelab::gpu
