#include "cuda/device/stage_clock.h"

#include "cuda/device/device_scope.h"

namespace spokelab::gpu {

StageClock::StageClock(StageTimings* timings, EventPool& pool, cudaStream_t stream)
    : timings_(timings), trace_(activeTrace()), pool_(pool), stream_(stream) {
  if (runs()) pool_.at(0).record(stream_);
}

void StageClock::mark(Stage stage, double bytes) {
  if (!runs()) return;
  marks_.push_back({stage, bytes});
  pool_.at(marks_.size()).record(stream_);
}

void StageClock::finish() {
  if (!runs()) return;
  pool_.at(marks_.size()).synchronize();
  const double ended = now();
  StageTimings result;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    result[marks_[i].stage] += pool_.at(i + 1).secondsSince(pool_.at(i));
    result.bytes[std::size_t(marks_[i].stage)] += marks_[i].bytes;
  }
  result.total = marks_.empty() ? 0 : pool_.at(marks_.size()).secondsSince(pool_.at(0));
  if (timings_) *timings_ = result;
  if (!trace_) return;
  const int track = deviceTrack + currentDevice();
  double begin = ended - result.total;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const double end = begin + pool_.at(i + 1).secondsSince(pool_.at(i));
    trace_->add(stageNames[std::size_t(marks_[i].stage)], SpanKind::device, begin, end, track);
    begin = end;
  }
}

}  // namespace spokelab::gpu
