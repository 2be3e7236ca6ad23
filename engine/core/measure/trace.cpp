#include "engine/core/measure/trace.h"

#include <algorithm>
#include <utility>

namespace spokelab {
namespace {

// Stages of transforms, of which hours of timing have millions, are kept beyond the pieces of work.
constexpr std::size_t maxSpansWithStages = 2 * TraceRecorder::maxSpans;

bool hasRoom(SpanKind kind, std::size_t spans) {
  if (kind == SpanKind::work) return spans < TraceRecorder::maxSpans;
  const bool stage = kind == SpanKind::transform || kind == SpanKind::device;
  return !stage || spans < maxSpansWithStages;
}

}  // namespace

std::string_view spanKindName(SpanKind kind) {
  switch (kind) {
    case SpanKind::job:
      return "job";
    case SpanKind::iteration:
      return "iteration";
    case SpanKind::transform:
      return "transform";
    case SpanKind::work:
      return "work";
    case SpanKind::device:
      return "device";
    case SpanKind::call:
    case SpanKind::range:
      break;
  }
  return "";
}

TraceRecorder::TraceRecorder() {
  trace_.begin = now();
}

void TraceRecorder::add(std::string_view name, SpanKind kind, double begin, double end, int track) {
  const std::lock_guard lock(mutex_);
  if (!hasRoom(kind, trace_.spans.size())) {
    ++trace_.dropped;
    return;
  }
  trace_.spans.push_back({std::string(name), kind, track, begin, end});
}

void TraceRecorder::nameTrack(int track, std::string name) {
  const std::lock_guard lock(mutex_);
  trace_.names[track] = std::move(name);
}

Trace TraceRecorder::take() {
  const std::lock_guard lock(mutex_);
  trace_.end = now();
  std::stable_sort(trace_.spans.begin(), trace_.spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  return std::move(trace_);
}

void TraceRecorder::ended(const SpanRecord& span) {
  if (!span.sum && !span.timeline) add(span.name, span.kind, span.begin, span.end, span.track);
}

}  // namespace spokelab
