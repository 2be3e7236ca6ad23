#include "engine/profile/results/job_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/recon/model/job_model.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {

using nlohmann::json;

json toJson(const JobPlan& plan) {
  json matrix = json::array();
  for (int d = 0; d < plan.dims; ++d) matrix.push_back(plan.matrix[std::size_t(d)]);
  const RewrittenModel model = modelOf(plan);
  return {{"recipe", plan.recipe->words},
          {"model",
           {{"forward", expressionText(model.forward)},
            {"normal", expressionText(model.normal)},
            {"computedAs", expressionText(model.rewritten)},
            {"rules", model.rules}}},
          {"method", reconMethodName(plan.options.iterative.method)},
          {"matrix", std::move(matrix)},
          {"frames", plan.frames},
          {"slices", plan.slices},
          {"coils",
           {{"measured", plan.coilsMeasured},
            {"kept", plan.coilsKept},
            {"prepared", plan.coils},
            {"atOnce", plan.coilsAtOnce}}},
          {"samples", plan.samples},
          {"shots", plan.shots},
          {"unknowns",
           {{"count", plan.unknowns()}, {"frames", plan.framesPerUnknown}, {"mapSets", plan.mapSets}}},
          {"framesAtOnce", plan.framesAtOnce},
          {"slabs", plan.slabs},
          {"precision", precisionName(plan.options.inDouble() ? Precision::double64 : Precision::single)},
          {"workload", workloadText(plan.workload)},
          {"parts",
           {{"frames", plan.parts.frames},
            {"slices", plan.parts.slices},
            {"coils", plan.parts.coils},
            {"slabs", plan.parts.slabs}}},
          {"memory", {{"host", plan.memory.host}, {"device", plan.memory.device}}},
          {"notes", plan.notes}};
}

json keptToJson(const std::vector<KeptItem>& items) {
  json all = json::array();
  for (const KeptItem& item : items)
    all.push_back({{"what", item.what}, {"seconds", item.seconds}, {"bytes", item.bytes}});
  return all;
}

json toJson(const LambdaChoice& choice) {
  const LambdaRange& range = *choice.range;
  json points = json::array();
  for (std::size_t i = 0; i < range.points.size(); ++i) {
    const LambdaPoint& p = range.points[i];
    json point = {{"lambda", p.lambda},
                  {"misfit", p.misfit / range.energy},
                  {"norm", std::sqrt(p.square)},
                  {"residual", p.residual},
                  {"curvature", choice.curvature[i]}};
    if (!range.heldOut.empty()) point["heldOut"] = p.heldOut / range.energy;
    points.push_back(std::move(point));
  }
  json lambda = {{"points", points},       {"frame", choice.frame},
                 {"slice", choice.slice},  {"steps", range.systems.size()},
                 {"ending", range.ending}, {"transform", range.transform},
                 {"notes", choice.notes}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    lambda[name] = value ? json(*value) : json();
  };
  add("corner", choice.corner);
  add("discrepancy", choice.discrepancy);
  add("heldOut", choice.heldOut);
  add("noise", choice.noise > 0 ? std::optional(choice.noise / range.energy) : std::nullopt);
  return lambda;
}

}  // namespace spokelab
