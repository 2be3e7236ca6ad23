#include "cuda/device/measure/stage_clock.h"

#include "cuda/device/device_scope.h"

#include <utility>

namespace spokelab::gpu {
namespace {

thread_local StageLog* activeLog = nullptr;

}  // namespace

std::size_t StageLog::record(cudaStream_t stream) {
  pool_.at(count_).record(stream);
  return count_++;
}

void StageLog::read() {
  if (count_ > 0) pool_.at(count_ - 1).synchronize();
  for (const Lap& lap : laps_) *lap.seconds += pool_.at(lap.end).secondsSince(pool_.at(lap.begin));
  laps_.clear();
  count_ = 0;
}

StageLogScope::StageLogScope(StageLog* log) noexcept : before_(std::exchange(activeLog, log)) {
}

StageLogScope::~StageLogScope() {
  activeLog = before_;
}

StageClock::StageClock(StageTimings* timings, EventPool& pool, cudaStream_t stream)
    : timings_(timings), trace_(activeTrace()), log_(activeLog), pool_(pool), stream_(stream) {
  if (waits())
    pool_.at(0).record(stream_);
  else if (log_)
    logged_ = log_->record(stream_);
}

bool StageClock::isWatched(const StageTimings* timings) {
  return timings || activeTrace() || activeLog;
}

void StageClock::mark(Stage stage, double bytes) {
  if (!waits()) {
    if (!log_) return;
    const std::size_t end = log_->record(stream_);
    log_->add(logged_, end, log_->stages[stage]);
    log_->stages.bytes[std::size_t(stage)] += bytes;
    logged_ = end;
    return;
  }
  marks_.push_back({stage, bytes});
  pool_.at(marks_.size()).record(stream_);
}

void StageClock::finish() {
  if (log_) log_->stages.multiplyInFft |= multiplyInFft_;
  if (!waits()) return;
  pool_.at(marks_.size()).synchronize();
  const double ended = now();
  StageTimings result;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    result[marks_[i].stage] += pool_.at(i + 1).secondsSince(pool_.at(i));
    result.bytes[std::size_t(marks_[i].stage)] += marks_[i].bytes;
  }
  result.multiplyInFft = multiplyInFft_;
  result.total = marks_.empty() ? 0 : pool_.at(marks_.size()).secondsSince(pool_.at(0));
  if (timings_) *timings_ = result;
  if (log_) log_->stages += result;
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
