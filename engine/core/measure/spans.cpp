#include "engine/core/measure/spans.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/core/thread_pool.h"

namespace spokelab {

struct SpanThread {
  const SpanScope* innermost = nullptr;
  Span* job = nullptr;  // the open stage of a job
  SpanKinds kinds = 0;  // that somebody hears
  SpanKinds muted = 0;  // also for listeners inside the cut
  int track = 0;
  int calls = 0;  // open ones
};

namespace {

thread_local constinit SpanThread ownThread;
std::atomic<SpanThread* (*)() noexcept> threadOf = ownSpanThread;
std::atomic<const SpanProfiler*> activeProfiler = nullptr;

SpanThread& here() noexcept {
  return *threadOf.load(std::memory_order_relaxed)();
}

constexpr SpanKinds stoppedBy(SpanCut cut) {
  return cut == SpanCut::all ? ~SpanKinds(0) : cut == SpanCut::work ? kindsOf(SpanKind::work) : 0;
}

}  // namespace

SpanThread* ownSpanThread() noexcept {
  return &ownThread;
}

void shareSpans(SpanThread* (*threads)() noexcept) noexcept {
  threadOf = threads;
}

SpanScope::SpanScope(SpanListener* listener) noexcept
    : listener_(listener), books_(listener ? listener->books() : 0) {
  push();
}

SpanScope::SpanScope(SpanListener* listener, int track) noexcept : SpanScope(listener) {
  here().track = track;
}

SpanScope::SpanScope(SpanCut cut) noexcept
    : stops_(stoppedBy(cut)), books_(cut == SpanCut::stages ? kindsOfStages : 0) {
  push();
}

void SpanScope::push() noexcept {
  kindsBefore_ = here().kinds;
  mutedBefore_ = here().muted;
  if (stops_ == stoppedBy(SpanCut::work)) here().muted |= stops_;
  trackBefore_ = here().track;
  jobBefore_ = here().job;
  if (stops_ & kindsOf(SpanKind::job)) here().job = nullptr;  // no part of a stage outside
  outer_ = std::exchange(here().innermost, this);
  here().kinds = ((here().kinds & ~stops_) | (listener_ ? listener_->hears() : 0)) & ~here().muted;
}

SpanScope::~SpanScope() {
  here().innermost = outer_;
  here().kinds = kindsBefore_;
  here().muted = mutedBefore_;
  here().track = trackBefore_;
  if (stops_ & kindsOf(SpanKind::job)) here().job = jobBefore_;
}

bool isWatched(SpanKind kind) noexcept {
  return here().kinds & kindsOf(kind);
}

int ownTrack() noexcept {
  return here().track;
}

TraceRecorder* activeTrace() noexcept {
  for (const SpanScope* scope = here().innermost; scope && scope->stops_ != stoppedBy(SpanCut::all);
       scope = scope->outer_)
    if (TraceRecorder* const trace = scope->listener_ ? scope->listener_->trace() : nullptr) return trace;
  return nullptr;
}

void tellSpan(SpanRecord record) {
  const SpanKinds kind = kindsOf(record.kind);
  if (!(here().kinds & kind) || (record.kind == SpanKind::call && here().calls > 0)) return;
  for (const SpanScope* scope = here().innermost; scope && !(scope->stops_ & kind); scope = scope->outer_) {
    if (scope->listener_ && (scope->listener_->hears() & kind)) scope->listener_->ended(record);
    record.booked |= bool(scope->books_ & kind);
  }
}

void tellSpan(std::string_view name, SpanKind kind, double begin, double end) {
  tellSpan({.name = name,
            .kind = kind,
            .track = here().track,
            .begin = begin,
            .end = end,
            .seconds = end - begin});
}

void tellStep() {
  for (const SpanScope* scope = here().innermost; scope && scope->stops_ != stoppedBy(SpanCut::all);
       scope = scope->outer_)
    if (scope->listener_) scope->listener_->stepped();
}

Span::Span(const char* name, SpanKind kind, int stage) noexcept
    : name_(name), kind_(kind), stage_(stage), watched_(spokelab::isWatched(kind)) {
  if (const SpanProfiler* const profiler = activeProfiler.load(std::memory_order_relaxed)) {
    profiler->begin(name);
    profiled_ = true;
  }
  if (kind == SpanKind::call) ++here().calls;
  if (kind == SpanKind::job) outer_ = std::exchange(here().job, this);
  if (!watched_ && kind != SpanKind::job) return;
  begin_ = now();
  if (stage < 0) return;
  const PoolWork pool = poolWork();
  parallel_ = pool.seconds;
  worked_ = pool.worked;
}

double Span::end() {
  if (!std::exchange(open_, false)) return 0;
  if (profiled_) activeProfiler.load(std::memory_order_relaxed)->end();
  if (kind_ == SpanKind::call) --here().calls;
  if (kind_ == SpanKind::job) here().job = outer_;
  if (!watched_ && kind_ != SpanKind::job) return 0;
  const double end = now(), seconds = end - begin_;
  if (outer_ && stage_ >= 0) outer_->nested_ += seconds;
  if (!watched_) return seconds;
  SpanRecord record{
      .name = name_, .kind = kind_, .stage = stage_, .track = here().track, .begin = begin_, .end = end};
  record.seconds = std::max(0.0, seconds - nested_);  // a device's clock may differ
  record.bytes = bytes_;
  record.multiplies = multiplies_;
  if (stage_ >= 0) {
    const PoolWork pool = poolWork();
    record.parallel = pool.seconds - parallel_;
    record.worked = pool.worked - worked_;
  }
  tellSpan(record);
  return seconds;
}

void Span::contains(const char* name, int stage, double seconds) {
  nested_ += seconds;
  if (stage >= 0)
    tellSpan({.name = name,
              .kind = kind_,
              .stage = stage,
              .track = here().track,
              .seconds = seconds,
              .sum = true});
}

void setSpanProfiler(const SpanProfiler* profiler) noexcept {
  activeProfiler = profiler;
}

}  // namespace spokelab
