#include "engine/nufft/tune/search/prospects.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/cost_model.h"

namespace spokelab {

void predictRest(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest) {
  std::map<std::string, std::vector<double>> all;
  for (const Candidate& c : timed)
    if (c.timed() && !isPlugin(c.backend)) all[c.backend].push_back(c.transferSeconds);
  std::map<std::string, double> copies;
  for (auto& [backend, seconds] : all) copies[backend] = medianOf(std::move(seconds));
  for (Candidate& c : rest) {
    predictCost(request, c);
    const auto known = copies.find(c.backend);
    if (known == copies.end()) continue;
    c.predictedParts.transfer = known->second;
    c.predictedSeconds = c.predictedParts.whole(request.workload);
  }
}

double besideCopies(const TuneRequest& request, const Candidate& c) {
  const double whole = c.timed() ? c.cost() : c.predictedSeconds;
  const double copies = c.timed() ? c.transferSeconds : c.predictedParts.transfer;
  return request.workload.onDevice ? whole : whole - copies;
}

double bestBesideCopies(const TuneRequest& request, std::span<const Candidate> candidates,
                        const std::string& backend) {
  double best = HUGE_VAL;
  for (const Candidate& c : candidates)
    if (c.timed() && c.backend == backend) best = std::min(best, besideCopies(request, c));
  return best;
}

}  // namespace spokelab
