#include "engine/nufft/tune/wisdom_entry.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/repeats.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr double maxToeplitzAlpha = 4;
constexpr int maxThreads = 1 << 14, maxKeptPartitions = 1024, maxSegments = 1024;
constexpr std::int64_t maxGridSide = std::int64_t{1} << 31, maxBinSide = std::int64_t{1} << 24;
constexpr std::size_t maxKeyBytes = 1 << 14;

// ", 4 executions a set of points"; empty for entries of versions that did not count them.
std::string executionsText(const json& key) {
  const std::string count = key.value("executions", std::string());
  if (count.empty()) return {};
  return ", " + count + (count == "1" ? " execution" : " executions") + " a set of points";
}

bool within(double value, double low, double high) {
  return value >= low && value <= high;  // false for NaN
}

bool isBetter(const Candidate& theirs, const Candidate& ours) {
  const bool isFaster = theirs.cost() < ours.cost();
  const bool ties = isFaster ? tiesWith(ours, theirs) : tiesWith(theirs, ours);
  if (!ties || theirs.repeats == ours.repeats) return isFaster;
  return theirs.repeats > ours.repeats;
}

}  // namespace

bool plausible(const Candidate& c) {
  const NufftOptions& o = c.options;
  const auto inGrid = [](std::int64_t n) { return n >= 1 && n < maxGridSide; };
  const auto isBin = [](std::int64_t n) { return n >= 0 && n <= maxBinSide; };
  const auto isRatio = [](double ratio) { return ratio == 0 || within(ratio, 1, maxAlpha); };
  const auto isTime = [](double t) { return std::isfinite(t) && t >= 0; };
  // Only our plans must have a grid: a plug-in need not tell its grid.
  const bool hasGrid = !isExact(c.path.transform) && !isPlugin(c.backend);
  return (!isPlugin(c.backend) || isPluginName(c.backend)) && within(o.accuracy, 1e-16, 1) &&
         (!hasGrid || (within(o.alpha, 1, maxAlpha) && within(o.width, 0.5, maxKernelWidth))) &&
         within(c.path.segments, 0, maxSegments) && within(c.path.convolutions, 0, maxSegments) &&
         isRatio(c.innerAlpha) && (o.toeplitzAlpha == 0 || within(o.toeplitzAlpha, 1, maxToeplitzAlpha)) &&
         o.threads >= 0 && o.threads <= maxThreads && o.maxSubproblem >= 0 && o.memoryLimit >= 0 &&
         o.scheduler.partitions >= 0 && o.interleave >= 0 && o.scheduler.partitions <= maxKeptPartitions &&
         std::all_of(o.bins.begin(), o.bins.end(), isBin) &&
         std::all_of(o.axisAlpha.begin(), o.axisAlpha.end(), isRatio) &&
         std::all_of(c.grid.begin(), c.grid.end(), inGrid) && isTime(c.timings.total) &&
         isTime(c.setPointsSeconds) && isTime(c.planSeconds) && isTime(c.seconds) &&
         isTime(c.transferSeconds) && isTime(c.searchSeconds) && isTime(c.spread) &&
         std::all_of(c.runs.begin(), c.runs.end(), isTime) && c.repeats >= 0 && c.memory >= 0;
}

std::optional<Candidate> wisdomCandidate(const std::string& value) {
  try {
    Candidate c = candidateOfJson(parseDocument(value, "", ""));
    if (plausible(c)) return c;
  } catch (const Error&) {
  } catch (const json::exception&) {
  }
  return std::nullopt;
}

WisdomLine describeWisdom(const std::string& key, const Candidate& candidate,
                          std::span<const std::string> fingerprints) {
  WisdomLine line;
  line.key = key;
  line.plan = describe(candidate);
  line.seconds = candidate.cost();
  line.problem = "of an unknown problem";
  try {
    const json j = parseDocument(key, "", "");
    const int dims = std::clamp(j.at("dims").get<int>(), 1, 3);
    const json& options = j.at("options");
    line.problem = std::to_string(dims) + "-D " + sizeText(j.at("size").get<Index3>(), dims, " x ") + ' ' +
                   j.at("precision").get<std::string>() + ", 2^" + std::to_string(j.at("points").get<int>()) +
                   " points, " + j.at("direction").get<std::string>() + executionsText(j) + ", accuracy " +
                   options.at("accuracy").dump() + ", " + std::to_string(options.at("threads").get<int>()) +
                   " threads, " + j.at("effort").get<std::string>();
    bool all = !j.at("backends").empty();
    for (const json& backend : j.at("backends")) {
      const auto name = backend.get<std::string>();
      line.machine += (line.machine.empty() ? "" : " | ") + name;
      all = all && std::find(fingerprints.begin(), fingerprints.end(), name) != fingerprints.end();
    }
    line.here = all;
  } catch (const Error&) {
    line.here = false;
  } catch (const json::exception&) {
    line.here = false;
  }
  return line;
}

WisdomMerge mergeWisdom(WisdomEntries& ours, const WisdomEntries& theirs, WisdomRule rule) {
  WisdomMerge result;
  for (const auto& [key, value] : theirs) {
    const std::optional<Candidate> candidate = wisdomCandidate(value);
    if (!candidate || key.size() > maxKeyBytes) {
      ++result.refused;
      continue;
    }
    const auto known = ours.find(key);
    if (known == ours.end()) {
      ours[key] = value;
      ++result.added;
      continue;
    }
    const std::optional<Candidate> own = wisdomCandidate(known->second);
    const bool takes =
        known->second != value && (!own || rule == WisdomRule::theirs || isBetter(*candidate, *own));
    if (takes) known->second = value;
    ++(takes ? result.replaced : result.kept);
  }
  return result;
}

}  // namespace spokelab
