#include "engine/profile/results/lambda_json.h"

#include <cmath>

namespace spokelab {

nlohmann::json toJson(const LambdaChoice& choice) {
  const LambdaRange& range = *choice.range;
  nlohmann::json points = nlohmann::json::array();
  for (std::size_t i = 0; i < range.points.size(); ++i) {
    const LambdaPoint& p = range.points[i];
    nlohmann::json point = {{"lambda", p.lambda},
                            {"misfit", p.misfit / range.energy},
                            {"norm", std::sqrt(p.square)},
                            {"residual", p.residual},
                            {"curvature", choice.curvature[i]}};
    if (!range.heldOut.empty()) point["heldOut"] = p.heldOut / range.energy;
    points.push_back(std::move(point));
  }
  nlohmann::json lambda = {{"points", points},       {"frame", choice.frame},
                           {"slice", choice.slice},  {"steps", range.systems.size()},
                           {"ending", range.ending}, {"transform", range.transform},
                           {"notes", choice.notes}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    lambda[name] = value ? nlohmann::json(*value) : nlohmann::json();
  };
  add("corner", choice.corner);
  add("discrepancy", choice.discrepancy);
  add("heldOut", choice.heldOut);
  add("noise", choice.noise > 0 ? std::optional(choice.noise / range.energy) : std::nullopt);
  return lambda;
}

}  // namespace spokelab
