#include "engine/nufft/schedule/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/core/text.h"

namespace spokelab {

double Timeline::seconds() const {
  double end = 0;
  for (const WorkInterval& i : intervals) end = std::max(end, i.end);
  return end;
}

double Timeline::busy() const {
  double sum = 0;
  for (const WorkInterval& i : intervals) sum += i.end - i.begin;
  const double workerSeconds = seconds() * workers;
  return workerSeconds > 0 ? sum / workerSeconds : 0;
}

void TimelineRecorder::ended(const SpanRecord& span) {
  if (!span.timeline) return;
  const Timeline& part = *span.timeline;
  const double shift = timeline_.seconds() - (part.intervals.empty() ? 0 : part.intervals.front().begin);
  const std::vector<WorkInterval> before = std::exchange(timeline_, part).intervals;
  for (WorkInterval& i : timeline_.intervals) {
    i.begin += shift;
    i.end += shift;
  }
  timeline_.intervals.insert(timeline_.intervals.begin(), before.begin(), before.end());
  std::set<int> workers;
  for (const WorkInterval& i : timeline_.intervals) workers.insert(i.thread);
  timeline_.workers = static_cast<int>(workers.size());
}

std::string timelineText(const Timeline& t) {
  std::set<std::int64_t> copied;
  for (const WorkInterval& i : t.intervals)
    if (i.kind == WorkKind::reduction) copied.insert(i.partition);
  constexpr double millisecond = 1e-3, percent = 100;
  constexpr int digits = 3;
  const bool graph = t.scheduler == "graph";
  std::string text = graph ? "graph of " : "tiles: ";
  int dims = 3;
  while (dims > 1 && t.partitions[static_cast<std::size_t>(dims - 1)] == 1) --dims;
  text += sizeText(t.partitions, dims);
  text += graph ? " partitions, " : ", ";
  text += std::to_string(copied.size()) + " of them private, on " + std::to_string(t.workers) + " of " +
          countText(t.threads, "thread") + ": ";
  return text + numberText(t.seconds() / millisecond, digits) + " ms, threads " +
         numberText(t.busy() * percent, digits) + " % busy";
}

std::string timelineToJson(const Timeline& t) {
  nlohmann::json intervals = nlohmann::json::array();
  for (const WorkInterval& i : t.intervals)
    intervals.push_back({{"thread", i.thread},
                         {"kind", workKindName(i.kind)},
                         {"partition", i.partition},
                         {"position", i.position},
                         {"cells", i.cells},
                         {"turn", i.turn},
                         {"points", i.points},
                         {"begin", i.begin},
                         {"end", i.end}});
  const nlohmann::json j{{"format", "spokelab-timeline"},
                         {"version", 1},
                         {"scheduler", t.scheduler},
                         {"plan", t.plan},
                         {"threads", t.threads},
                         {"workers", t.workers},
                         {"partitions", t.partitions},
                         {"points", t.points},
                         {"seconds", t.seconds()},
                         {"busy", t.busy()},
                         {"intervals", std::move(intervals)}};
  return j.dump(1) + "\n";
}

}  // namespace spokelab
