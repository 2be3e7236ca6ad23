#include "engine/nufft/tune/candidate_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/tune/repeats.h"

namespace spokelab {
namespace {

using nlohmann::json;

// A prediction, which may be infinite: JSON cannot say infinity, so null means it.
double prediction(const json& object, const char* key) {
  return object.at(key).is_null() ? std::numeric_limits<double>::infinity()
                                  : numberAt(object, key, notNegative);
}

}  // namespace

StageTimings timingsOfJson(const json& j) {
  StageTimings t;
  t.total = numberAt(j, "total", notNegative);
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s) {
    const std::string name(stageNames[s]);
    t.seconds[s] = numberOr(j.at("seconds"), name.c_str(), 0, notNegative);
    t.bytes[s] = numberOr(j.at("bytes"), name.c_str(), 0, notNegative);
  }
  t.points = numberOr(j, "points", 0, notNegative);
  t.multiplyInFft = j.value("multiplyInFft", false);
  return t;
}

PredictedError predictedOfJson(const json& j) {
  PredictedError e;
  e.relativeL2 = prediction(j, "relativeL2");
  e.aliasing = prediction(j, "aliasing");
  e.worstPixel = prediction(j, "worstPixel");
  e.worstPosition = prediction(j, "worstPosition");
  e.polynomial = prediction(j, "polynomial");
  e.bound = prediction(j, "bound");
  e.rounding = prediction(j, "rounding");
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
  if (t.points > 0) j["points"] = t.points;
  if (t.multiplyInFft) j["multiplyInFft"] = true;
  return j;
}

namespace {

json partsToJson(const CostParts& p) {
  return {{"plan", p.plan}, {"points", p.points}, {"execution", p.execution}, {"transfer", p.transfer}};
}

CostParts partsOfJson(const json& j) {
  return {prediction(j, "plan"), prediction(j, "points"), prediction(j, "execution"),
          prediction(j, "transfer")};
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
  if (!j.at("executions").is_null()) w.executions = numberAt(j, "executions", aboveZero);
  w.pointSets = numberAt(j, "pointSets", aboveZero);
  w.together = numberOr(j, "together", 1, {1});
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
  if (o.crowdedSums != CrowdedSums::automatic) j["crowdedSums"] = crowdedSumsName(o.crowdedSums);
  if (o.fftEffort != FftEffort::automatic) j["fftEffort"] = fftEffortName(o.fftEffort);
  if (o.reproducible) j["reproducible"] = true;  // keys of wisdom without it stay as they were
  return j;
}

NufftOptions nufftOptionsOfJson(const json& j) {
  try {
    NufftOptions o;
    o.accuracy = numberAt(j, "accuracy", notNegative);
    o.alpha = numberAt(j, "alpha", notNegative);
    o.width = numberAt(j, "width", notNegative);
    o.kernel = kernelFromName(j.at("kernel").get<std::string>());
    o.precomputation = precomputationFromName(j.value("precomputation", std::string("auto")));
    o.spread = methodFromName(j.at("spread").get<std::string>());
    o.interpolate = methodFromName(j.at("interpolate").get<std::string>());
    o.normal = normalMethodFromName(j.at("normal").get<std::string>());
    o.toeplitzAlpha = numberOr(j, "toeplitzAlpha", 0, notNegative);
    o.bins = sizeAt(j, "bins", 0);
    o.scheduler.kind = schedulerFromName(j.value("scheduler", std::string("auto")));
    o.scheduler.off = schedulerPartsFromText(j.value("schedulerOff", std::string()));
    o.scheduler.partitions = countOr(j, "partitions", 0);
    o.maxSubproblem = countAt<int>(j, "maxSubproblem");
    o.interleave = countOr(j, "imagesTogether", 0);
    o.threads = countAt<int>(j, "threads", std::numeric_limits<int>::min());
    o.memoryLimit = countAt<std::int64_t>(j, "memoryLimit");
    if (j.contains("axisAlpha")) {
      const std::vector<double> ratios = numbersAt(j, "axisAlpha", notNegative, o.axisAlpha.size());
      std::copy(ratios.begin(), ratios.end(), o.axisAlpha.begin());
    }
    o.crowdedSums = crowdedSumsFromName(j.value("crowdedSums", std::string("auto")));
    o.fftEffort = fftEffortFromName(j.value("fftEffort", std::string("auto")));
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
  path.segments = countAt<int>(j, "segments");
  path.convolutions = countAt<int>(j, "convolutions");
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
    c.grid = sizeAt(j, "grid", 0);
    c.predicted = predictedOfJson(j.at("predicted"));
    c.predictedSeconds = prediction(j, "predictedSeconds");
    c.timings = timingsOfJson(j.at("timings"));
    c.spread = numberAt(j, "spread", notNegative);
    c.repeats = countAt<int>(j, "repeats");
    // Files of earlier versions have no single repeats.
    if (j.contains("runs")) c.runs = numbersAt(j, "runs", notNegative);
    c.setPointsSeconds = numberAt(j, "setPointsSeconds", notNegative);
    c.transferSeconds = numberOr(j, "transferSeconds", 0, notNegative);
    // Files of earlier versions know the execution alone.
    c.seconds = numberOr(j, "seconds", c.timings.total, notNegative);
    c.planSeconds = numberOr(j, "planSeconds", 0, notNegative);
    if (j.contains("predictedNormalError")) c.predictedNormalError = prediction(j, "predictedNormalError");
    c.predictedParts.execution = c.predictedSeconds;
    if (j.contains("predictedParts")) c.predictedParts = partsOfJson(j.at("predictedParts"));
    if (j.contains("fieldPath")) c.path = pathOfJson(j.at("fieldPath"));
    c.searchSeconds = numberOr(j, "searchSeconds", 0, notNegative);
    c.outlook = j.value("outlook", std::string());
    c.memory = countAt<std::int64_t>(j, "memory");
    if (j.contains("measuredError")) c.measuredError = prediction(j, "measuredError");
    c.refused = j.value("refused", std::string());
    return c;
  } catch (const json::exception& e) {
    throw Error("This is not a candidate", e.what(), "Tune again");
  }
}

}  // namespace spokelab
