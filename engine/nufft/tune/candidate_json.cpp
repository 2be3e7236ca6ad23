#include "engine/nufft/tune/candidate_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_ceiling.h"
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

namespace {

// Takes the rows of options, and acts on those that have a key.
template <class Act>
class KeyedRows {
 public:
  explicit KeyedRows(Act act) : act_(std::move(act)) {}

  template <class Names, class Field>
  struct Row {
    KeyedRows& rows;
    Names names;
    Field field;

    Row& serves(std::initializer_list<OptionUse>) { return *this; }
    template <class Of>
    Row& idle(Of, std::initializer_list<IdleRule<NufftOptions>>) {
      return *this;
    }
    Row& key(const char* key, OptionKey kind) {
      rows.act_(key, kind, names, field);
      return *this;
    }
  };
  struct NoNames {};

  template <class Field>
  auto number(const char*, const char*, OptionType, double, double, const char*, const char*, const char*,
              bool, Field field, double = 1) {
    return Row<NoNames, Field>{*this, {}, field};
  }
  template <class T, std::size_t n, class Field>
  auto choice(const char*, const char*, const T (&)[n], OptionNames<T> names, const char*, const char*,
              Field field) {
    return Row<OptionNames<T>, Field>{*this, names, field};
  }
  template <class Field>
  auto flag(const char*, const char*, const char*, const char*, Field field) {
    return Row<NoNames, Field>{*this, {}, field};
  }
  template <class Number, class Field>
  auto perAxis(const char*, const char*, const char*, const char*, const char*, Number, const char*,
               Field field) {
    return Row<NoNames, Field>{*this, {}, field};
  }
  template <class T, class Field>
  auto coded(const char*, const char*, const char*, const char*, const char*, OptionText<T> text,
             Field field) {
    return Row<OptionText<T>, Field>{*this, text, field};
  }

 private:
  Act act_;
};

template <class Act>
void forEachKey(Act act) {
  KeyedRows<Act> rows(std::move(act));
  addNufftRows(
      rows, [](auto& o) -> auto& { return o; });
}

template <class T>
json valueToJson(const T& value, OptionNames<T> names) {
  return names.nameOf(value);
}
template <class T>
json valueToJson(const T& value, OptionText<T> text) {
  return text.textOf(value);
}
template <class T, class NoNames>
json valueToJson(const T& value, NoNames) {
  return value;
}

template <class T>
void readValue(T& value, const json& j, const char* key, OptionNames<T> names) {
  value = names.fromName(j.at(key).get<std::string>());
}
template <class T>
void readValue(T& value, const json& j, const char* key, OptionText<T> text) {
  value = text.fromText(j.at(key).get<std::string>());
}
template <class T, class NoNames>
void readValue(T& value, const json& j, const char* key, NoNames) {
  if constexpr (std::is_same_v<T, bool>)
    value = j.at(key).get<bool>();
  else if constexpr (std::is_integral_v<T>)
    value = countAt<T>(j, key);
  else
    value = numberAt(j, key, notNegative);
}
template <class NoNames>
void readValue(Index3& value, const json& j, const char* key, NoNames) {
  value = sizeAt(j, key, 0);
}
template <class NoNames>
void readValue(std::array<double, 3>& value, const json& j, const char* key, NoNames) {
  const std::vector<double> ratios = numbersAt(j, key, notNegative, value.size());
  std::copy(ratios.begin(), ratios.end(), value.begin());
}

}  // namespace

json nufftOptionsToJson(const NufftOptions& o) {
  const NufftOptions defaults;
  json j{{"accuracy", o.accuracy}};
  forEachKey([&](const char* key, OptionKey kind, auto names, auto field) {
    if (kind != OptionKey::ifSet || field(o) != field(defaults)) j[key] = valueToJson(field(o), names);
  });
  return j;
}

NufftOptions nufftOptionsOfJson(const json& j) {
  try {
    NufftOptions o;
    o.accuracy = numberAt(j, "accuracy", notNegative);
    forEachKey([&](const char* key, OptionKey kind, auto names, auto field) {
      if (kind == OptionKey::always || j.contains(key)) readValue(field(o), j, key, names);
    });
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
