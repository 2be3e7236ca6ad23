#include "engine/profile/results/results_read.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/candidate_json.h"

namespace spokelab {
namespace {

using nlohmann::json;

PlanInfo planOf(const json& j) {
  PlanInfo plan;
  plan.backend = j.at("backend").get<std::string>();
  plan.options = nufftOptionsOfJson(j.at("options"));
  plan.grid = sizeAt(j, "grid", 0);
  plan.beta = numberAt(j, "beta");
  plan.polynomialDegree = countAt<int>(j, "polynomialDegree");
  plan.error = predictedOfJson(j.at("predicted"));
  plan.memory = countAt<std::int64_t>(j, "memory");
  plan.description = j.at("description").get<std::string>();
  return plan;
}

IterationRecord recordOf(const json& j) {
  IterationRecord record;
  record.frame = countAt<int>(j, "frame");
  record.slice = countAt<int>(j, "slice");
  record.transform = j.at("transform").get<std::string>();
  // A solve that diverged has residuals and objectives that are infinite or NaN.
  for (const json& value : j.at("residuals")) record.residuals.push_back(numberFromJson(value));
  if (j.contains("objectives"))
    for (const json& value : j.at("objectives")) record.objectives.push_back(numberFromJson(value));
  record.seconds = numbersAt(j, "seconds", notNegative);
  record.planningSeconds = numberAt(j, "planningSeconds", notNegative);
  record.converged = j.at("converged").get<bool>();
  record.ending = j.at("ending").get<std::string>();
  if (j.contains("parts"))
    for (std::size_t p = 0; p < iterationPartCount; ++p) {
      const json& seconds = j.at("parts").at(std::string(iterationPartNames[p]));
      record.parts.resize(seconds.size());
      for (std::size_t i = 0; i < seconds.size(); ++i)
        record.parts[i].seconds[p] = checkedNumber(seconds[i], iterationPartNames[p].data(), notNegative);
    }
  for (IterationParts& parts : record.parts) parts.multiplyInFft = j.value("multiplyInFft", false);
  if (j.contains("lambdaChanges"))
    for (const json& change : j.at("lambdaChanges"))
      record.lambdaChanges.push_back(
          {countAt<int>(change, "iteration"), numberAt(change, "before"), numberAt(change, "after")});
  return record;
}

}  // namespace

double numberFromJson(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
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

std::map<std::string, std::string> optionValues(const ReconOptions& options) {
  std::map<std::string, std::string> values;
  for (const OptionSpec& spec : reconOptionTable()) values[spec.name] = optionValue(options, spec.name);
  return values;
}

MachineLoad loadFromJson(const json& j) {
  MachineLoad load;
  load.processors = countAt<int>(j, "processors");
  load.atStart = numberOr(j, "averageAtStart", load.atStart);  // negative: not known
  load.atEnd = numberOr(j, "averageAtEnd", load.atEnd);
  load.others = numberOr(j, "otherPrograms", load.others);
  return load;
}

TuneResult tuneResultFromJson(const json& j) {
  try {
    TuneResult result;
    for (const json& candidate : j.at("candidates")) result.candidates.push_back(candidateOfJson(candidate));
    result.best = countAt<int>(j, "best", -1);
    if (result.best >= int(result.candidates.size())) result.best = -1;
    result.reason = j.at("reason").get<std::string>();
    result.fromWisdom = j.at("fromWisdom").get<bool>();
    result.cancelled = j.at("cancelled").get<bool>();
    result.seconds = numberAt(j, "seconds", notNegative);
    // Files of earlier versions do not say these.
    result.cutShort = j.value("cutShort", false);
    result.timedEarlier = countOr(j, "timedEarlier", 0);
    if (j.contains("workload")) result.workload = workloadOfJson(j.at("workload"));
    if (j.contains("load")) result.load = loadFromJson(j.at("load"));
    result.behind = numberOr(j, "behind", result.behind);
    if (j.contains("reproducible"))
      result.reproducible = {numberAt(j.at("reproducible"), "seconds", notNegative),
                             numberAt(j.at("reproducible"), "fastest", notNegative)};
    return result;
  } catch (const json::exception& e) {
    throw Error("This is not a result of a tuning", e.what(), "Tune again");
  }
}

JobAccount jobAccountFromJson(const json& j) {
  try {
    JobAccount account;
    account.total = numberAt(j, "total", notNegative);
    for (std::size_t s = 0; s < jobStageCount; ++s)
      account.seconds[s] = numberOr(j.at("seconds"), std::string(jobStageNames[s]).c_str(), 0, notNegative);
    return account;
  } catch (const json::exception& e) {
    throw Error("This is not an account of a job", e.what(), "Reconstruct again");
  }
}

Reconstruction reconstructionFromJson(const json& j, std::vector<std::string>& unknown) {
  try {
    Reconstruction r;
    r.options = optionsFromValues(j.at("options").get<std::map<std::string, std::string>>(), unknown);
    r.plan = planOf(j.at("plan"));
    r.origin = resultOriginFromName(r.plan.backend);
    if (isImported(r)) r.plan.backend.clear();
    r.timings = timingsOfJson(j.at("timings"));
    r.density = j.at("density").get<std::string>();
    r.notes = j.at("notes").get<std::vector<std::string>>();
    r.seconds = numberAt(j, "seconds", notNegative);
    r.tuningSeconds = numberAt(j, "tuningSeconds", notNegative);
    r.cancelled = j.at("cancelled").get<bool>();
    // Files of earlier versions do not say it.
    if (j.contains("account")) r.account = jobAccountFromJson(j.at("account"));
    if (j.contains("memory"))
      r.memory = {numberOr(j.at("memory"), "host", 0, notNegative),
                  numberOr(j.at("memory"), "device", 0, notNegative)};
    if (j.contains("energy")) {
      const json& energy = j.at("energy");
      r.energy = {numberOr(energy, "joules", 0, notNegative), energy.value("of", std::string()),
                  energy.value("absent", std::string())};
    }
    if (j.contains("account") && j.at("account").contains("predicted"))
      r.forecast = jobAccountFromJson(j.at("account").at("predicted"));
    if (j.contains("pausedSeconds")) r.pausedSeconds = numberAt(j, "pausedSeconds", notNegative);
    if (j.contains("frameSeconds")) r.frameSeconds = numbersAt(j, "frameSeconds", notNegative);
    if (j.contains("model"))
      for (const auto& [name, text] : j.at("model").get<std::map<std::string, std::string>>())
        r.model.emplace_back(name, text);
    if (j.contains("iterations"))
      for (const json& iteration : j.at("iterations")) r.iterations.push_back(recordOf(iteration));
    if (j.contains("tuning"))
      r.tuning = std::make_shared<const TuneResult>(tuneResultFromJson(j.at("tuning")));
    return r;
  } catch (const json::exception& e) {
    throw Error("This is not a reconstruction", e.what(), "Reconstruct again");
  }
}

json geometryToJson(const Geometry& g) {
  json j = {{"matrix", g.matrix},
            {"fovMm", g.fov},
            {"readDirection", g.readDirection},
            {"phaseDirection", g.phaseDirection},
            {"sliceDirection", g.sliceDirection},
            {"slicePositionsMm", g.slicePositions},
            {"nominal", g.nominal}};
  for (const Directions& d : g.sliceDirections) j["sliceDirections"].push_back({d.read, d.phase, d.slice});
  for (const Geometry& frame : g.frames) j["frames"].push_back(geometryToJson(frame));
  return j;
}

Geometry geometryFromJson(const json& j) {
  Geometry g;
  g.matrix = sizeAt(j, "matrix", 1);
  g.fov = j.at("fovMm").get<Vec3>();
  g.readDirection = j.at("readDirection").get<Vec3>();
  g.phaseDirection = j.at("phaseDirection").get<Vec3>();
  g.sliceDirection = j.at("sliceDirection").get<Vec3>();
  g.slicePositions = j.at("slicePositionsMm").get<std::vector<Vec3>>();
  g.nominal = j.at("nominal").get<bool>();
  for (const json& d : j.value("sliceDirections", json::array()))
    g.sliceDirections.push_back({d.at(0).get<Vec3>(), d.at(1).get<Vec3>(), d.at(2).get<Vec3>()});
  // Frames of frames are not read, so that a file cannot nest them without end.
  for (json frame : j.value("frames", json::array())) {
    frame.erase("frames");
    g.frames.push_back(geometryFromJson(frame));
  }
  return g;
}

}  // namespace spokelab
