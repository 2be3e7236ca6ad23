// A clock works in one of three ways, fixed when it is made. waits_: somebody listens to spans, so
// marks are kept, finish() waits and tells a span for each; event 0 of the pool is the start, event
// i + 1 the end of marks_[i]. log_ alone: each mark adds a lap to the thread's log, from the log's
// event logged_ to a new one, and nothing waits. Neither: no events.
#include "cuda/device/measure/stage_clock.h"

#include "cuda/device/device_scope.h"

#include <utility>

#include "engine/core/measure/trace.h"

namespace spokelab::gpu {
namespace {

thread_local StageLog* activeLog = nullptr;  // set by StageLogScope; null: this thread has no log

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

StageClock::StageClock(EventPool& pool, cudaStream_t stream, bool watched)
    : waits_(watched && spokelab::isWatched(SpanKind::device)),
      log_(watched ? activeLog : nullptr),
      pool_(pool),
      stream_(stream) {
  if (waits_)
    pool_.at(0).record(stream_);
  else if (log_)
    logged_ = log_->record(stream_);
}

bool StageClock::isWatched() {
  return spokelab::isWatched(SpanKind::device) || activeLog;
}

void StageClock::mark(Stage stage, double bytes) {
  if (!waits_) {
    if (!log_) return;
    const std::size_t end = log_->record(stream_);
    log_->add(logged_, end, log_->stages[stage]);
    log_->add(stage, 0, bytes);
    logged_ = end;
    return;
  }
  marks_.push_back({stage, bytes});
  pool_.at(marks_.size()).record(stream_);
}

void StageClock::finish() {
  if (!waits_) {
    if (log_) log_->stages.multiplyInFft |= multiplyInFft_;
    return;
  }
  pool_.at(marks_.size()).synchronize();
  const double total = marks_.empty() ? 0 : pool_.at(marks_.size()).secondsSince(pool_.at(0));
  SpanRecord span{.kind = SpanKind::device, .track = deviceTrack + currentDevice(), .end = now() - total};
  span.multiplies = multiplyInFft_;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    span.stage = int(marks_[i].stage);
    span.name = stageNames[std::size_t(span.stage)];
    span.seconds = pool_.at(i + 1).secondsSince(pool_.at(i));
    span.begin = std::exchange(span.end, span.end + span.seconds);
    span.bytes = marks_[i].bytes;
    tellSpan(span);
    if (log_) log_->add(marks_[i].stage, span.seconds, span.bytes);
  }
  tellSpan({.name = "call", .kind = SpanKind::call, .seconds = total, .sum = true});
  if (log_) log_->stages.multiplyInFft |= multiplyInFft_;
}

}  // namespace spokelab::gpu
