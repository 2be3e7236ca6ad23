#include "engine/nufft/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace spokelab {

double Timeline::seconds() const {
  double end = 0;
  for (const WorkInterval& i : intervals) end = std::max(end, i.end);
  return end;
}

double Timeline::busy() const {
  double sum = 0;
  for (const WorkInterval& i : intervals) sum += i.end - i.begin;
  const double all = seconds() * workers;
  return all > 0 ? sum / all : 0;
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
