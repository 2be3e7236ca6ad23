// Checks a document against Chrome's "Trace Event Format": complete and metadata events, named
// tracks, and spans that are nested or separate.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spokelab::test {

// The document's fault; empty if it has none. The first complete event is the span around all.
inline std::string faultOfTrace(const nlohmann::json& document) {
  struct Span {
    std::string name;
    double begin = 0, end = 0;
  };
  if (!document.is_object() || !document.contains("traceEvents")) return "there are no events";
  const auto is = [](const nlohmann::json& event, const char* key, bool (nlohmann::json::*kind)() const) {
    return event.contains(key) && (event.at(key).*kind)();
  };
  std::map<int, std::vector<Span>> open;  // by named track
  double whole = -1;
  for (const nlohmann::json& e : document.at("traceEvents")) {
    using Json = nlohmann::json;
    if (!is(e, "name", &Json::is_string) || !is(e, "ph", &Json::is_string) ||
        !is(e, "pid", &Json::is_number_integer) || !is(e, "tid", &Json::is_number_integer))
      return "an event lacks name, ph, pid or tid: " + e.dump();
    const int track = e.at("tid").get<int>();
    if (e.at("ph") == "M") {
      if (!is(e, "args", &Json::is_object)) return "metadata lack args: " + e.dump();
      if (e.at("name") == "thread_name") open[track];
      continue;
    }
    if (e.at("ph") != "X") return "an event is neither complete nor metadata: " + e.dump();
    if (!is(e, "cat", &Json::is_string) || !is(e, "ts", &Json::is_number) || !is(e, "dur", &Json::is_number))
      return "a complete event lacks cat, ts or dur: " + e.dump();
    const Span span{e.at("name").get<std::string>(), e.at("ts").get<double>(),
                    e.at("ts").get<double>() + e.at("dur").get<double>()};
    if (span.begin < 0 || span.end < span.begin) return "a span ends before it begins: " + e.dump();
    if (!open.contains(track)) return "a track has no name: " + e.dump();
    constexpr double rounding = 1e-3;  // microseconds, to which ts and dur are rounded
    if (whole < 0) whole = span.end;
    if (span.end > whole + rounding) return "a span ends after the job: " + e.dump();
    std::vector<Span>& outer = open[track];
    while (!outer.empty() && outer.back().end <= span.begin + rounding) outer.pop_back();
    if (!outer.empty() && span.end > outer.back().end + rounding)
      return span.name + " reaches out of " + outer.back().name;
    outer.push_back(span);
  }
  return whole < 0 ? "there is no span" : "";
}

}  // namespace spokelab::test
