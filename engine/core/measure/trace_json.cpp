#include "engine/core/measure/trace_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace spokelab {
namespace {

using nlohmann::json;

constexpr int process = 1;

json metadata(const char* what, int track, json arguments) {
  return {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", track}, {"args", std::move(arguments)}};
}

// Both ends are rounded to nanoseconds, so that nested spans are still nested.
json event(const std::string& name, std::string_view category, int track, double begin, double end) {
  constexpr double nanosecond = 1e-9, perMicrosecond = 1e3;
  const double from = std::round(begin / nanosecond), to = std::round(end / nanosecond);
  return {{"name", name},
          {"cat", category},
          {"ph", "X"},
          {"pid", process},
          {"tid", track},
          {"ts", from / perMicrosecond},
          {"dur", (to - from) / perMicrosecond}};
}

}  // namespace

std::string trackName(const Trace& trace, int track) {
  if (const auto named = trace.names.find(track); named != trace.names.end()) return named->second;
  if (isDeviceTrack(track)) return "GPU " + std::to_string(track - deviceTrack);
  if (track >= rankTrack) return "job, part " + std::to_string(track - rankTrack);
  return track == 0 ? "job" : "thread " + std::to_string(track - 1);
}

std::string traceToJson(const Trace& trace, const std::string& title) {
  json events = json::array();
  events.push_back(metadata("process_name", 0, {{"name", "Spokelab: " + title}}));
  std::set<int> tracks{0};
  for (const TraceSpan& span : trace.spans) tracks.insert(span.track);
  for (const int track : tracks) {
    events.push_back(metadata("thread_name", track, {{"name", trackName(trace, track)}}));
    events.push_back(metadata("thread_sort_index", track, {{"sort_index", track}}));
  }
  events.push_back(event(title, spanKindName(SpanKind::job), 0, 0, trace.end - trace.begin));
  for (const TraceSpan& span : trace.spans)
    events.push_back(event(span.name, spanKindName(span.kind), span.track, span.begin - trace.begin,
                           span.end - trace.begin));
  const json document{{"traceEvents", std::move(events)},
                      {"displayTimeUnit", "ms"},
                      {"format", "spokelab-trace"},
                      {"otherData", {{"program", "Spokelab"}, {"droppedSpans", trace.dropped}}}};
  // A scan's name may hold any bytes.
  return document.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace spokelab
