#include "engine/profile/results/results.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/documents/fields.h"
#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/scan/formats/frames/frame_texts.h"

namespace spokelab {

using nlohmann::json;

json toJson(const Candidate& candidate) {
  json j = candidateToJson(candidate);
  j["path"] = pathOf(candidate).name;
  return j;
}

Candidate candidateFromJson(const json& j) {
  return candidateOfJson(j);
}

namespace {

json planToJson(const Candidate& candidate) {
  return toJson(candidate);
}

// A document's part read by its fields; Error where it is something else.
template <class Result, class Read>
Result readAs(const char* problem, const char* remedy, const Read& read) {
  try {
    Result result;
    read(result);
    return result;
  } catch (const json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
}

constexpr Through workloadFields{workloadToJson, workloadOfJson};

}  // namespace

template <class F, Either<MachineLoad> L>
static void fields(F& f, L& load) {
  f("processors", load.processors);
  f.told("busy", load.isBusy());
  f.told("text", loadText(load));
  f.when(load.atStart >= 0, "averageAtStart", load.atStart);
  f.when(load.atEnd >= 0, "averageAtEnd", load.atEnd);
  f.when(load.others >= 0, "otherPrograms", load.others);
}

json loadToJson(const MachineLoad& load) {
  return asJson(load);
}

MachineLoad loadFromJson(const json& j) {
  MachineLoad load;
  readFields(j, load);
  return load;
}

template <class F, Either<ReproducibleCost> R>
static void fields(F& f, R& cost) {
  f("seconds", cost.with, notNegative);
  f("fastest", cost.without, notNegative);
}

template <class F, Either<TuneResult> R>
static void fields(F& f, R& result) {
  f("candidates", result.candidates, Through{planToJson, candidateOfJson});
  f("best", result.best, Whole{-1});
  f("reason", result.reason);
  f("fromWisdom", result.fromWisdom);
  f("cancelled", result.cancelled);
  f("seconds", result.seconds, notNegative);
  f.when(true, "cutShort", result.cutShort);
  f.when(true, "timedEarlier", result.timedEarlier);
  f.when(true, "workload", result.workload, workloadFields);
  f.when(!loadText(result.load).empty(), "load", result.load);
  f.when(result.behind >= 0, "behind", result.behind);
  f.when(result.reproducible.known(), "reproducible", result.reproducible);
}

json toJson(const TuneResult& result) {
  return asJson(result);
}

TuneResult tuneResultFromJson(const json& j) {
  return readAs<TuneResult>("This is not a result of a tuning", "Tune again", [&](TuneResult& result) {
    readFields(j, result);
    if (result.best >= int(result.candidates.size())) result.best = -1;
  });
}

template <class F, Either<JobAccount> A>
static void fields(F& f, A& account) {
  f("total", account.total, notNegative);
  f.object("seconds", [&](auto& stages) {
    for (std::size_t s = 0; s < jobStageCount; ++s)
      stages.when(account.seconds[s] > 0, std::string(jobStageNames[s]), account.seconds[s], notNegative);
  });
}

json toJson(const JobAccount& account) {
  json j = asJson(account);
  j["unaccounted"] = account.unaccounted();
  return j;
}

JobAccount jobAccountFromJson(const json& j) {
  return readAs<JobAccount>("This is not an account of a job", "Reconstruct again",
                            [&](JobAccount& account) { readFields(j, account); });
}

template <class F, Either<LambdaChange> C>
static void fields(F& f, C& change) {
  f("iteration", change.iteration);
  f("before", change.before);
  f("after", change.after);
}

template <class F, Either<IterationRecord> R>
static void fields(F& f, R& record) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  f("frame", record.frame);
  f("slice", record.slice);
  f("transform", record.transform);
  // A solve that diverged has residuals and objectives that are infinite or NaN.
  f("residuals", record.residuals, NullIs{none, anyNumber});
  f.when(!record.objectives.empty(), "objectives", record.objectives, NullIs{none, anyNumber});
  f("seconds", record.seconds, notNegative);
  f("planningSeconds", record.planningSeconds, notNegative);
  f("converged", record.converged);
  f("ending", record.ending);
  f.when(!record.lambdaChanges.empty(), "lambdaChanges", record.lambdaChanges);
  // One list a part, one number an iteration.
  f.objectWhen(!record.parts.empty(), "parts", [&](auto& parts) {
    for (std::size_t p = 0; p < iterationPartCount; ++p) {
      std::vector<double> seconds;
      for (const IterationParts& one : record.parts) seconds.push_back(one.seconds[p]);
      parts(std::string(iterationPartNames[p]), seconds, notNegative);
      if constexpr (!std::is_const_v<R>) {
        record.parts.resize(seconds.size());
        for (std::size_t i = 0; i < seconds.size(); ++i) record.parts[i].seconds[p] = seconds[i];
      }
    }
  });
  bool inFft = !record.parts.empty() && record.parts.front().multiplyInFft;
  f.when(inFft, "multiplyInFft", inFft);
  if constexpr (!std::is_const_v<R>)
    for (IterationParts& parts : record.parts) parts.multiplyInFft = inFft;
}

template <class F, Either<Reconstruction> R>
static void fields(F& f, R& r) {
  f.object("plan", [&](auto& plan) {
    plan("options", r.plan.options, Through{nufftOptionsToJson, nufftOptionsOfJson});
    plan("grid", r.plan.grid);
    plan("beta", r.plan.beta);
    plan("polynomialDegree", r.plan.polynomialDegree);
    plan("predicted", r.plan.error, Through{predictedToJson, predictedOfJson});
    plan("memory", r.plan.memory);
    plan("description", r.plan.description);
  });
  f("timings", r.timings, Through{timingsToJson, timingsOfJson});
  f("density", r.density);
  f("notes", r.notes);
  f("seconds", r.seconds, notNegative);
  f("tuningSeconds", r.tuningSeconds, notNegative);
  f("cancelled", r.cancelled);
  // The measured times, and beside them the expected ones.
  f.objectWhen(true, "account", [&](auto& account) {
    fields(account, r.account);
    account.told("unaccounted", r.account.unaccounted());
    account.when(r.forecast.total > 0, "predicted", r.forecast);
  });
  const bool isKnown = r.energy.isKnown();
  f.objectWhen(isKnown || !r.energy.absent.empty(), "energy", [&](auto& energy) {
    energy.when(isKnown, "joules", r.energy.joules, notNegative);
    energy.when(isKnown, "of", r.energy.of);
    energy.when(!isKnown, "absent", r.energy.absent);
  });
  f.objectWhen(r.memory.host > 0, "memory", [&](auto& memory) {
    memory.when(true, "host", r.memory.host, notNegative);
    memory.when(true, "device", r.memory.device, notNegative);
  });
  std::map<std::string, std::string> model(r.model.begin(), r.model.end());
  f.when(!model.empty(), "model", model);
  if constexpr (!std::is_const_v<R>) r.model.assign(model.begin(), model.end());
  f.when(!r.iterations.empty(), "iterations", r.iterations);
  f.when(r.pausedSeconds > 0, "pausedSeconds", r.pausedSeconds, notNegative);
  f.when(!r.frameSeconds.empty(), "frameSeconds", r.frameSeconds, notNegative);
}

json toJson(const Reconstruction& r) {
  json j = asJson(r);
  j["options"] = toJson(r.options);
  j["plan"]["backend"] = isImported(r) ? std::string(resultOriginName(r.origin)) : r.plan.backend;
  if (!r.ranks.empty()) {
    json ranks = json::array();
    for (const RankAccount& rank : r.ranks)
      ranks.push_back({{"host", rank.host},
                       {"share", numberListText(rank.share)},
                       {"seconds", rank.seconds},
                       {"speed", rank.speed}});
    j["ranks"] = {{"divided", r.divided}, {"ranks", std::move(ranks)}};
  }
  if (r.tuning) j["tuning"] = toJson(*r.tuning);
  if (r.image) {
    j["image"] = {{"frames", r.image->frames},
                  {"size", r.image->size},
                  {"geometry", geometryToJson(r.image->geometry)}};
    if (!r.image->frameAxes.empty()) j["image"]["frameAxes"] = frameAxesJson(r.image->frameAxes);
  }
  return j;
}

Reconstruction reconstructionFromJson(const json& j, std::vector<std::string>& unknown) {
  return readAs<Reconstruction>("This is not a reconstruction", "Reconstruct again", [&](Reconstruction& r) {
    r.options = optionsFromValues(j.at("options").get<std::map<std::string, std::string>>(), unknown);
    r.plan.backend = j.at("plan").at("backend").get<std::string>();
    r.origin = resultOriginFromName(r.plan.backend);
    if (isImported(r)) r.plan.backend.clear();
    readFields(j, r);
    if (j.contains("tuning"))
      r.tuning = std::make_shared<const TuneResult>(tuneResultFromJson(j.at("tuning")));
  });
}

ReconOptions optionsFromValues(const std::map<std::string, std::string>& values,
                               std::vector<std::string>& unknown) {
  ReconOptions options;
  for (const auto& [name, value] : values) {
    try {
      setOption(options, name, value);
    } catch (const Error& error) {
      unknown.push_back(name + " = " + value + ": " + error.reason());
    }
  }
  return options;
}

json toJson(const ReconOptions& options) {
  return optionValues(options);
}

std::map<std::string, std::string> optionValues(const ReconOptions& options) {
  std::map<std::string, std::string> values;
  for (const OptionSpec& spec : reconOptionTable()) values[spec.name] = optionValue(options, spec.name);
  return values;
}

namespace {

json directionsToJson(const Directions& d) {
  return {d.read, d.phase, d.slice};
}

Directions directionsOfJson(const json& j) {
  return {j.at(0).get<Vec3>(), j.at(1).get<Vec3>(), j.at(2).get<Vec3>()};
}

// Frames of frames are not read, so that a file cannot nest them without end.
Geometry frameGeometry(json j) {
  j.erase("frames");
  return geometryFromJson(j);
}

}  // namespace

template <class F, Either<Geometry> G>
static void fields(F& f, G& g) {
  f("matrix", g.matrix, Whole{1});
  f("fovMm", g.fov);
  f("readDirection", g.readDirection);
  f("phaseDirection", g.phaseDirection);
  f("sliceDirection", g.sliceDirection);
  f("slicePositionsMm", g.slicePositions);
  f("nominal", g.nominal);
  f.when(!g.sliceDirections.empty(), "sliceDirections", g.sliceDirections,
         Through{directionsToJson, directionsOfJson});
  f.when(!g.frames.empty(), "frames", g.frames, Through{geometryToJson, frameGeometry});
}

json geometryToJson(const Geometry& geometry) {
  return asJson(geometry);
}

Geometry geometryFromJson(const json& j) {
  Geometry geometry;
  readFields(j, geometry);
  return geometry;
}

json toJson(const Decision& d) {
  return {{"topic", d.topic},           {"choice", d.choice},
          {"evidence", d.evidence},     {"alternatives", d.alternatives},
          {"overridden", d.overridden}, {"question", d.question}};
}

json toJson(const Scan& scan) {
  json trajectories = json::array();
  for (const Trajectory& t : scan.trajectories)
    trajectories.push_back({{"dims", t.dims},
                            {"shots", t.shots()},
                            {"samples", t.samples()},
                            {"hasWeights", !t.weights.empty()},
                            {"hasTimes", !t.times.empty()}});
  json decisions = json::array();
  for (const Decision& d : scan.decisions) decisions.push_back(toJson(d));
  return {{"name", scan.name},
          {"path", scan.path},
          {"geometry", geometryToJson(scan.geometry)},
          {"coils", scan.coils},
          {"slices", scan.slices},
          {"frames", scan.frames},
          {"frameAxes", frameAxesJson(scan.frameAxes)},
          {"trajectories", trajectories},
          {"noiseSamples", scan.noise.size()},
          {"fingerprint", scan.fingerprint},
          {"decisions", decisions},
          {"warnings", scan.warnings}};
}

json toJson(const RawSummary& s) {
  json summary = {{"coilEnergy", s.energy}, {"coilLargest", s.largest}};
  if (!s.shotMaxima.empty()) {
    const ShotRange shots = shotRange(s.shotMaxima);
    const auto shot = [&s](std::int64_t number) {
      return json{{"shot", number}, {"largest", s.shotMaxima[std::size_t(number)]}};
    };
    summary["shots"] = {{"weakest", shot(shots.weakest)},
                        {"strongest", shot(shots.strongest)},
                        {"median", shots.median},
                        {"empty", shots.empty}};
  }
  if (s.noise.empty()) return summary;
  const int coils = int(s.energy.size());
  json deviation = json::array(), covariance = json::array();
  for (int a = 0; a < coils; ++a) {
    deviation.push_back(s.noiseOf(a));
    json row = json::array();
    for (int b = 0; b < coils; ++b) {
      const cdouble& value = s.noise[std::size_t(a) * std::size_t(coils) + std::size_t(b)];
      row.push_back({value.real(), value.imag()});
    }
    covariance.push_back(row);
  }
  summary["noise"] = {{"samples", s.noiseSamples}, {"deviation", deviation}, {"covariance", covariance}};
  return summary;
}

}  // namespace spokelab
