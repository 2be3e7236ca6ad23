#include "engine/profile/runs/timed_run.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/measure/machine_load.h"
#include "engine/core/text.h"
#include "engine/profile/results/provenance.h"

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 3> kindNames = {"sweep", "tuning", "reconstruction"};
constexpr std::array<std::string_view, 3> kindTitles = {"Sweep ", "Tuning ", "Reconstruction "};

}  // namespace

std::string_view runKindName(RunKind kind) {
  return kindNames.at(std::size_t(kind));
}

RunKind runKindFromName(std::string_view name) {
  const auto found = std::find(kindNames.begin(), kindNames.end(), name);
  if (found == kindNames.end())
    throw Error("This is not a run", "'" + std::string(name) + "' is not a kind of run",
                "Choose sweep, tuning or reconstruction");
  return RunKind(found - kindNames.begin());
}

std::string TimedRun::title() const {
  return name.empty() ? std::string(kindTitles.at(std::size_t(kind))) + std::to_string(number) : name;
}

int TimedRun::plans() const {
  const auto& all = timed->candidates;
  return int(std::count_if(all.begin(), all.end(), [](const Candidate& c) { return c.timed(); }));
}

int TimedRun::repeats() const {
  int maxRepeats = 0;
  for (const Candidate& candidate : timed->candidates) maxRepeats = std::max(maxRepeats, candidate.repeats);
  return maxRepeats;
}

bool TimedRun::isOf(const std::string& scanName, const std::string& scanFingerprint) const {
  return fingerprint.empty() || scanFingerprint.empty() ? scan == scanName : fingerprint == scanFingerprint;
}

void stampRun(TimedRun& run) {
  run.time = timeNow();
  const nlohmann::json machine = provenance({}).at("machine");
  run.machine = machine.at("host").get<std::string>() + ", " + machine.at("cpu").get<std::string>() + ", " +
                countText(machine.at("threads").get<int>(), "thread");
  if (const double load = LoadWatch().load().atStart; load >= 0) run.load = load;
}

}  // namespace spokelab
