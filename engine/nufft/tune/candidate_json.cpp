#include "engine/nufft/tune/candidate_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/tune/repeats.h"

namespace spokelab {
namespace {

using nlohmann::json;

// JSON cannot write infinity or NaN: null is read as NaN.
double number(const json& j) {
  return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>();
}

}  // namespace

StageTimings timingsOfJson(const json& j) {
  StageTimings t;
  t.total = number(j.at("total"));
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s) {
    const std::string name(stageNames[s]);
    t.seconds[s] = j.at("seconds").value(name, 0.0);
    t.bytes[s] = j.at("bytes").value(name, 0.0);
  }
  t.multiplyInFft = j.value("multiplyInFft", false);
  return t;
}

PredictedError predictedOfJson(const json& j) {
  PredictedError e;
  e.relativeL2 = number(j.at("relativeL2"));
  e.aliasing = number(j.at("aliasing"));
  e.worstPixel = number(j.at("worstPixel"));
  e.worstPosition = number(j.at("worstPosition"));
  e.polynomial = number(j.at("polynomial"));
  e.bound = number(j.at("bound"));
  e.rounding = number(j.at("rounding"));
  return e;
}

nlohmann::json ceilingToJson(const MemoryCeiling& c) {
  return {{"bytesPerSecond", c.bytesPerSecond},
          {"threads", c.threads},
          {"bytes", c.bytes},
          {"repeats", c.repeats},
          {"spread", c.spread}};
}

json timingsToJson(const StageTimings& t) {
  json seconds = json::object(), bytes = json::object();
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s) {
    if (t.seconds[s] > 0) seconds[std::string(stageNames[s])] = t.seconds[s];
    if (t.bytes[s] > 0) bytes[std::string(stageNames[s])] = t.bytes[s];
  }
  json j{{"total", t.total}, {"seconds", seconds}, {"bytes", bytes}};
  if (t.multiplyInFft) j["multiplyInFft"] = true;
  return j;
}

namespace {

json partsToJson(const CostParts& p) {
  return {{"plan", p.plan}, {"points", p.points}, {"execution", p.execution}, {"transfer", p.transfer}};
}

CostParts partsOfJson(const json& j) {
  return {number(j.at("plan")), number(j.at("points")), number(j.at("execution")), number(j.at("transfer"))};
}

}  // namespace

json workloadToJson(const Workload& w) {
  json j{{"direction", directionName(w.direction)},
         {"executions", nullptr},
         {"pointSets", w.pointSets},
         {"onDevice", w.onDevice},
         {"text", workloadText(w)}};
  if (w.together > 1) j["together"] = w.together;
  if (!std::isinf(w.executions)) j["executions"] = w.executions;
  return j;
}

Workload workloadOfJson(const json& j) {
  Workload w;
  w.direction = directionFromName(j.at("direction").get<std::string>());
  if (!j.at("executions").is_null()) w.executions = j.at("executions").get<double>();
  w.pointSets = j.at("pointSets").get<double>();
  w.together = j.value("together", 1.0);
  w.onDevice = j.at("onDevice").get<bool>();
  return w;
}

json predictedToJson(const PredictedError& e) {
  return {{"relativeL2", e.relativeL2}, {"aliasing", e.aliasing},     {"worstPixel", e.worstPixel},
          {"bound", e.bound},           {"polynomial", e.polynomial}, {"worstPosition", e.worstPosition},
          {"rounding", e.rounding}};
}

json nufftOptionsToJson(const NufftOptions& o) {
  json j{{"accuracy", o.accuracy},
         {"alpha", o.alpha},
         {"width", o.width},
         {"kernel", kernelName(o.kernel)},
         {"precomputation", precomputationName(o.precomputation)},
         {"spread", methodName(o.spread)},
         {"interpolate", methodName(o.interpolate)},
         {"normal", normalMethodName(o.normal)},
         {"toeplitzAlpha", o.toeplitzAlpha},
         {"bins", o.bins},
         {"scheduler", schedulerName(o.scheduler.kind)},
         {"schedulerOff", schedulerPartsText(o.scheduler.off)},
         {"partitions", o.scheduler.partitions},
         {"maxSubproblem", o.maxSubproblem},
         {"imagesTogether", o.interleave},
         {"threads", o.threads},
         {"memoryLimit", o.memoryLimit}};
  if (o.axisAlpha != NufftOptions{}.axisAlpha) j["axisAlpha"] = o.axisAlpha;
  if (o.reproducible) j["reproducible"] = true;  // keys of wisdom without it stay as they were
  return j;
}

NufftOptions nufftOptionsOfJson(const json& j) {
  try {
    NufftOptions o;
    o.accuracy = j.at("accuracy").get<double>();
    o.alpha = j.at("alpha").get<double>();
    o.width = j.at("width").get<double>();
    o.kernel = kernelFromName(j.at("kernel").get<std::string>());
    o.precomputation = precomputationFromName(j.value("precomputation", std::string("auto")));
    o.spread = methodFromName(j.at("spread").get<std::string>());
    o.interpolate = methodFromName(j.at("interpolate").get<std::string>());
    o.normal = normalMethodFromName(j.at("normal").get<std::string>());
    o.toeplitzAlpha = j.value("toeplitzAlpha", 0.0);
    o.bins = j.at("bins").get<Index3>();
    o.scheduler.kind = schedulerFromName(j.value("scheduler", std::string("auto")));
    o.scheduler.off = schedulerPartsFromText(j.value("schedulerOff", std::string()));
    o.scheduler.partitions = j.value("partitions", 0);
    o.maxSubproblem = j.at("maxSubproblem").get<int>();
    o.interleave = j.value("imagesTogether", 0);
    o.threads = j.at("threads").get<int>();
    o.memoryLimit = j.at("memoryLimit").get<std::int64_t>();
    o.axisAlpha = j.value("axisAlpha", o.axisAlpha);
    o.reproducible = j.value("reproducible", false);
    return o;
  } catch (const json::exception& e) {
    throw Error("These are not transform options", e.what(), "Tune again");
  }
}

json pathToJson(const Path& path) {
  return {{"transform", transformName(path.transform)},
          {"interpolator", interpolatorName(path.interpolator)},
          {"segments", path.segments},
          {"convolutions", path.convolutions}};
}

Path pathOfJson(const json& j) {
  Path path;
  path.transform = transformFromName(j.at("transform").get<std::string>());
  path.interpolator = interpolatorFromName(j.at("interpolator").get<std::string>());
  path.segments = j.at("segments").get<int>();
  path.convolutions = j.at("convolutions").get<int>();
  return path;
}

json candidateToJson(const Candidate& c) {
  json j{{"backend", c.backend},
         {"options", nufftOptionsToJson(c.options)},
         {"grid", c.grid},
         {"predicted", predictedToJson(c.predicted)},
         {"predictedSeconds", c.predictedSeconds},
         {"predictedParts", partsToJson(c.predictedParts)},
         {"predictedNormalError", c.predictedNormalError},
         {"seconds", c.seconds},
         {"planSeconds", c.planSeconds},
         {"timings", timingsToJson(c.timings)},
         {"spread", c.spread},
         {"repeats", c.repeats},
         {"setPointsSeconds", c.setPointsSeconds},
         {"transferSeconds", c.transferSeconds},
         {"memory", c.memory}};
  if (!c.runs.empty()) {
    j["runs"] = c.runs;
    const CostQuartiles quartiles = costQuartiles(c);
    j["quartiles"] = {quartiles.low, quartiles.median, quartiles.high};
  }
  if (c.path.transform != TransformKind::automatic) j["fieldPath"] = pathToJson(c.path);
  if (c.measuredError) j["measuredError"] = *c.measuredError;
  if (c.searchSeconds > 0) j["searchSeconds"] = c.searchSeconds;
  if (!c.outlook.empty()) j["outlook"] = c.outlook;
  if (!c.refused.empty()) j["refused"] = c.refused;
  return j;
}

Candidate candidateOfJson(const json& j) {
  try {
    Candidate c;
    c.backend = j.at("backend").get<std::string>();
    c.options = nufftOptionsOfJson(j.at("options"));
    c.grid = j.at("grid").get<Index3>();
    c.predicted = predictedOfJson(j.at("predicted"));
    c.predictedSeconds = number(j.at("predictedSeconds"));
    c.timings = timingsOfJson(j.at("timings"));
    c.spread = number(j.at("spread"));
    c.repeats = j.at("repeats").get<int>();
    // Files of earlier versions have no single repeats.
    if (j.contains("runs"))
      for (const json& seconds : j.at("runs")) {
        c.runs.push_back(number(seconds));
        if (!std::isfinite(c.runs.back()) || c.runs.back() < 0)
          throw Error("This is not a candidate", "a repeat's time is " + seconds.dump(), "Tune again");
      }
    c.setPointsSeconds = number(j.at("setPointsSeconds"));
    c.transferSeconds = j.value("transferSeconds", 0.0);
    // Files of earlier versions know the execution alone.
    c.seconds = j.contains("seconds") ? number(j.at("seconds")) : c.timings.total;
    c.planSeconds = j.value("planSeconds", 0.0);
    c.predictedNormalError = j.value("predictedNormalError", 0.0);
    c.predictedParts.execution = c.predictedSeconds;
    if (j.contains("predictedParts")) c.predictedParts = partsOfJson(j.at("predictedParts"));
    if (j.contains("fieldPath")) c.path = pathOfJson(j.at("fieldPath"));
    c.searchSeconds = j.value("searchSeconds", 0.0);
    c.outlook = j.value("outlook", std::string());
    c.memory = j.at("memory").get<std::int64_t>();
    if (j.contains("measuredError")) c.measuredError = j.at("measuredError").get<double>();
    c.refused = j.value("refused", std::string());
    return c;
  } catch (const json::exception& e) {
    throw Error("This is not a candidate", e.what(), "Tune again");
  }
}

}  // namespace spokelab
