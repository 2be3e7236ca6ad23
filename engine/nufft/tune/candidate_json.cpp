#include "engine/nufft/tune/candidate_json.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "engine/core/documents/fields.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_ceiling.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/tune/repeats.h"

namespace spokelab {
namespace {

using nlohmann::json;

// A prediction may be infinite.
constexpr NullIs prediction{std::numeric_limits<double>::infinity()};

// Takes the rows of options, and makes fields of those that have a key.
template <class F, class Options>
struct KeyedRows {
  F& f;
  Options& options;

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
      auto& value = field(rows.options);
      if (kind == OptionKey::always) {
        rows.f(key, value, names);
      } else {
        const NufftOptions defaults;
        rows.f.when(kind == OptionKey::newer || value != field(defaults), key, value, names);
      }
      return *this;
    }
  };

  template <class Field>
  auto plain(Field field) {
    using Value = std::remove_cvref_t<decltype(field(options))>;
    if constexpr (IsCount<Value> || std::is_same_v<Value, bool> || std::is_same_v<Value, Index3>)
      return Row<Whole, Field>{*this, {}, field};
    else
      return Row<NumberBounds, Field>{*this, notNegative, field};
  }
  template <class Field>
  auto number(const char*, const char*, OptionType, double, double, const char*, const char*, const char*,
              bool, Field field, double = 1) {
    return plain(field);
  }
  template <class T, std::size_t n, class Field>
  auto choice(const char*, const char*, const T (&)[n], OptionNames<T> names, const char*, const char*,
              Field field) {
    const Named named{names.nameOf, names.fromName};
    return Row<std::remove_const_t<decltype(named)>, Field>{*this, named, field};
  }
  template <class Field>
  auto flag(const char*, const char*, const char*, const char*, Field field) {
    return plain(field);
  }
  template <class Number, class Field>
  auto perAxis(const char*, const char*, const char*, const char*, const char*, Number, const char*,
               Field field) {
    return plain(field);
  }
  template <class T, class Field>
  auto coded(const char*, const char*, const char*, const char*, const char*, OptionText<T> text,
             Field field) {
    const Named named{text.textOf, text.fromText};
    return Row<std::remove_const_t<decltype(named)>, Field>{*this, named, field};
  }
};

}  // namespace

template <class F, Either<NufftOptions> O>
static void fields(F& f, O& options) {
  f("accuracy", options.accuracy, notNegative);
  KeyedRows<F, O> rows{f, options};
  addNufftRows(
      rows, [](auto& o) -> auto& { return o; });
}

template <class F, Either<StageTimings> T>
static void fields(F& f, T& timings) {
  f("total", timings.total, notNegative);
  const auto stages = [&f](const char* key, auto& values) {
    f.object(key, [&](auto& list) {
      for (std::size_t s = 0; s < stageNames.size(); ++s)
        list.when(values[s] > 0, std::string(stageNames[s]), values[s], notNegative);
    });
  };
  stages("seconds", timings.seconds);
  stages("bytes", timings.bytes);
  f.when(timings.points > 0, "points", timings.points, notNegative);
  f.when(timings.multiplyInFft, "multiplyInFft", timings.multiplyInFft);
}

template <class F, Either<PredictedError> E>
static void fields(F& f, E& error) {
  f("relativeL2", error.relativeL2, prediction);
  f("aliasing", error.aliasing, prediction);
  f("worstPixel", error.worstPixel, prediction);
  f("worstPosition", error.worstPosition, prediction);
  f("polynomial", error.polynomial, prediction);
  f("bound", error.bound, prediction);
  f("rounding", error.rounding, prediction);
}

template <class F, Either<CostParts> P>
static void fields(F& f, P& parts) {
  f("plan", parts.plan, prediction);
  f("points", parts.points, prediction);
  f("execution", parts.execution, prediction);
  f("transfer", parts.transfer, prediction);
}

template <class F, Either<Workload> W>
static void fields(F& f, W& workload) {
  f("direction", workload.direction, Named{directionName, directionFromName});
  f("executions", workload.executions, NullIs{Workload::unlimited, aboveZero});
  f("pointSets", workload.pointSets, aboveZero);
  f.when(workload.together > 1, "together", workload.together, NumberBounds{1});
  f("onDevice", workload.onDevice);
  f.told("text", workloadText(workload));
}

template <class F, Either<Path> P>
static void fields(F& f, P& path) {
  f("transform", path.transform, Named{transformName, transformFromName});
  f("interpolator", path.interpolator, Named{interpolatorName, interpolatorFromName});
  f("segments", path.segments);
  f("convolutions", path.convolutions);
}

// Files of earlier versions know the execution alone, and no single repeats.
template <class F, Either<Candidate> C>
static void fields(F& f, C& c) {
  f("backend", c.backend);
  f("options", c.options, Through{nufftOptionsToJson, nufftOptionsOfJson});
  f.when(c.innerAlpha > 0, "innerAlpha", c.innerAlpha, notNegative);
  f("grid", c.grid);
  f("predicted", c.predicted);
  f("predictedSeconds", c.predictedSeconds, prediction);
  f("timings", c.timings);
  f("spread", c.spread, notNegative);
  f("repeats", c.repeats);
  f.when(!c.runs.empty(), "runs", c.runs, notNegative);
  if (!c.runs.empty()) {
    const CostQuartiles quartiles = costQuartiles(c);
    f.told("quartiles", std::array{quartiles.low, quartiles.median, quartiles.high});
  }
  f("setPointsSeconds", c.setPointsSeconds, notNegative);
  f.when(true, "transferSeconds", c.transferSeconds, notNegative);
  if constexpr (!std::is_const_v<C>) {
    c.seconds = c.timings.total;
    c.predictedParts.execution = c.predictedSeconds;
  }
  f.when(true, "seconds", c.seconds, notNegative);
  f.when(true, "planSeconds", c.planSeconds, notNegative);
  f.when(true, "predictedNormalError", c.predictedNormalError, prediction);
  f.when(true, "predictedParts", c.predictedParts);
  f.when(c.path.transform != TransformKind::automatic, "fieldPath", c.path);
  f.when(c.searchSeconds > 0, "searchSeconds", c.searchSeconds, notNegative);
  f.when(!c.outlook.empty(), "outlook", c.outlook);
  f("memory", c.memory);
  f.when(c.measuredError.has_value(), "measuredError", c.measuredError, prediction);
  f.when(!c.refused.empty(), "refused", c.refused);
}

json ceilingToJson(const MemoryCeiling& c) {
  return {{"bytesPerSecond", c.bytesPerSecond},
          {"threads", c.threads},
          {"bytes", c.bytes},
          {"repeats", c.repeats},
          {"spread", c.spread}};
}

json timingsToJson(const StageTimings& timings) {
  return asJson(timings);
}

StageTimings timingsOfJson(const json& j) {
  return readFields<StageTimings>(j);
}

json predictedToJson(const PredictedError& error) {
  return asJson(error);
}

PredictedError predictedOfJson(const json& j) {
  return readFields<PredictedError>(j);
}

json workloadToJson(const Workload& workload) {
  return asJson(workload);
}

Workload workloadOfJson(const json& j) {
  return readFields<Workload>(j);
}

json nufftOptionsToJson(const NufftOptions& options) {
  return asJson(options);
}

NufftOptions nufftOptionsOfJson(const json& j) {
  try {
    return readFields<NufftOptions>(j);
  } catch (const json::exception& e) {
    throw Error("These are not transform options", e.what(), "Tune again");
  }
}

json candidateToJson(const Candidate& candidate) {
  return asJson(candidate);
}

Candidate candidateOfJson(const json& j) {
  try {
    return readFields<Candidate>(j);
  } catch (const json::exception& e) {
    throw Error("This is not a candidate", e.what(), "Tune again");
  }
}

}  // namespace spokelab
