#include "engine/profile/results/results.h"

#include <nlohmann/json.hpp>

#include "engine/core/number_list.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/profile/results/csv.h"
#include "engine/profile/results/results_read.h"
#include "engine/scan/formats/frames/frame_texts.h"

namespace spokelab {
namespace {

using csv::number;
using csv::quoted;
using nlohmann::json;

}  // namespace

json toJson(const Candidate& candidate) {
  json j = candidateToJson(candidate);
  j["path"] = pathOf(candidate).name;
  return j;
}

Candidate candidateFromJson(const json& j) {
  return candidateOfJson(j);
}

json loadToJson(const MachineLoad& load) {
  json j{{"processors", load.processors}, {"busy", load.isBusy()}, {"text", loadText(load)}};
  const auto add = [&j](const char* name, double value) {
    if (value >= 0) j[name] = value;
  };
  add("averageAtStart", load.atStart);
  add("averageAtEnd", load.atEnd);
  add("otherPrograms", load.others);
  return j;
}

json toJson(const TuneResult& result) {
  json candidates = json::array();
  for (const Candidate& c : result.candidates) candidates.push_back(toJson(c));
  json j{{"candidates", candidates},
         {"best", result.best},
         {"reason", result.reason},
         {"fromWisdom", result.fromWisdom},
         {"cancelled", result.cancelled},
         {"cutShort", result.cutShort},
         {"timedEarlier", result.timedEarlier},
         {"seconds", result.seconds},
         {"workload", workloadToJson(result.workload)}};
  if (!loadText(result.load).empty()) j["load"] = loadToJson(result.load);
  if (result.behind >= 0) j["behind"] = result.behind;
  if (result.reproducible.known())
    j["reproducible"] = {{"seconds", result.reproducible.with}, {"fastest", result.reproducible.without}};
  return j;
}

json toJson(const JobAccount& account) {
  json seconds = json::object();
  for (std::size_t s = 0; s < jobStageCount; ++s)
    if (account.seconds[s] > 0) seconds[std::string(jobStageNames[s])] = account.seconds[s];
  return {{"total", account.total}, {"seconds", seconds}, {"unaccounted", account.unaccounted()}};
}

json toJson(const ReconOptions& options) {
  json j = json::object();
  for (const OptionSpec& spec : reconOptionTable()) j[spec.name] = optionValue(options, spec.name);
  return j;
}

namespace {

// The measured times, and beside them the expected ones.
json accountToJson(const Reconstruction& r) {
  json account = toJson(r.account);
  if (r.forecast.total > 0) {
    account["predicted"] = toJson(r.forecast);
    account["predicted"].erase("unaccounted");
  }
  return account;
}

}  // namespace

json toJson(const Reconstruction& r) {
  json j{{"options", toJson(r.options)},
         {"plan",
          {{"backend", isImported(r) ? std::string(resultOriginName(r.origin)) : r.plan.backend},
           {"options", nufftOptionsToJson(r.plan.options)},
           {"grid", r.plan.grid},
           {"beta", r.plan.beta},
           {"polynomialDegree", r.plan.polynomialDegree},
           {"predicted", predictedToJson(r.plan.error)},
           {"memory", r.plan.memory},
           {"description", r.plan.description}}},
         {"timings", timingsToJson(r.timings)},
         {"density", r.density},
         {"notes", r.notes},
         {"seconds", r.seconds},
         {"tuningSeconds", r.tuningSeconds},
         {"account", accountToJson(r)},
         {"cancelled", r.cancelled}};
  if (r.energy.isKnown()) j["energy"] = {{"joules", r.energy.joules}, {"of", r.energy.of}};
  if (!r.energy.isKnown() && !r.energy.absent.empty()) j["energy"] = {{"absent", r.energy.absent}};
  for (const auto& [name, text] : r.model) j["model"][name] = text;
  for (const IterationRecord& i : r.iterations) {
    j["iterations"].push_back({{"frame", i.frame},
                               {"slice", i.slice},
                               {"transform", i.transform},
                               {"residuals", i.residuals},
                               {"seconds", i.seconds},
                               {"planningSeconds", i.planningSeconds},
                               {"converged", i.converged},
                               {"ending", i.ending}});
    if (!i.objectives.empty()) j["iterations"].back()["objectives"] = i.objectives;
    // One list a part, one number an iteration.
    for (std::size_t p = 0; !i.parts.empty() && p < iterationPartCount; ++p) {
      std::vector<double> seconds;
      for (const IterationParts& parts : i.parts) seconds.push_back(parts.seconds[p]);
      j["iterations"].back()["parts"][std::string(iterationPartNames[p])] = seconds;
    }
    if (!i.parts.empty() && i.parts.front().multiplyInFft) j["iterations"].back()["multiplyInFft"] = true;
    for (const LambdaChange& change : i.lambdaChanges)
      j["iterations"].back()["lambdaChanges"].push_back(
          {{"iteration", change.iteration}, {"before", change.before}, {"after", change.after}});
  }
  if (!r.ranks.empty()) {
    json ranks = json::array();
    for (const RankAccount& rank : r.ranks)
      ranks.push_back({{"host", rank.host},
                       {"share", numberListText(rank.share)},
                       {"seconds", rank.seconds},
                       {"speed", rank.speed}});
    j["ranks"] = {{"divided", r.divided}, {"ranks", std::move(ranks)}};
  }
  if (r.memory.host > 0) j["memory"] = {{"host", r.memory.host}, {"device", r.memory.device}};
  if (r.pausedSeconds > 0) j["pausedSeconds"] = r.pausedSeconds;
  if (!r.frameSeconds.empty()) j["frameSeconds"] = r.frameSeconds;
  if (r.tuning) j["tuning"] = toJson(*r.tuning);
  if (r.image) {
    j["image"] = {{"frames", r.image->frames},
                  {"size", r.image->size},
                  {"geometry", geometryToJson(r.image->geometry)}};
    if (!r.image->frameAxes.empty()) j["image"]["frameAxes"] = frameAxesJson(r.image->frameAxes);
  }
  return j;
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

std::string csvColumns() {
  std::string csv =
      "best,path,backend,spread,interpolate,kernel,accuracy,alpha,width,toeplitz_alpha,grid_x,grid_y,grid_z,"
      "threads,"
      "predicted_error,transform_error,worst_pixel,rounding,error_bound,measured_error,predicted_s,cost_s,"
      "cost_low_quartile_s,cost_high_quartile_s,total_s,spread_of_total,repeats";
  for (const std::string_view stage : stageNames) csv += "," + std::string(stage) + "_s";
  return csv + ",unaccounted_s,plan_s,set_points_s,transfers_s,memory_bytes,runs_s,refused";
}

std::string toCsv(const TuneResult& result) {
  return csvColumns() + '\n' + csvRows(result, {});
}

std::string csvRows(const TuneResult& result, const std::string& before) {
  std::string csv;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    const NufftOptions& o = c.options;
    std::string row = before + (int(i) == result.best ? "1" : "0");
    auto add = [&row](const std::string& cell) { row += "," + quoted(cell); };
    const CandidatePath path = pathOf(c);
    for (const std::string_view name :
         {std::string_view(path.name), std::string_view(c.backend), methodName(o.spread),
          methodName(o.interpolate), kernelName(o.kernel)})
      add(std::string(name));
    for (const double v : {o.accuracy, o.alpha, o.width}) add(number(v));
    add(path.over == SweptOver::toeplitzAlpha ? number(path.alpha) : "");
    for (const std::int64_t g : c.grid) add(std::to_string(g));
    add(std::to_string(o.threads));
    for (const double v : {c.predictedError(), c.predicted.relativeL2, c.predicted.worstPixel,
                           c.predicted.rounding, c.predicted.bound})
      add(number(v));
    add(c.measuredError ? number(*c.measuredError) : "");
    add(number(c.predictedSeconds));
    add(c.timed() ? number(c.seconds) : "");
    const CostQuartiles quartiles = costQuartiles(c);
    // A single repeat has none.
    for (const double s : {quartiles.low, quartiles.high})
      add(c.timed() && !isSingleRepeat(c) ? number(s) : "");
    add(c.timed() ? number(c.timings.total) : "");
    add(c.timed() ? number(c.spread) : "");
    add(std::to_string(c.repeats));
    for (const double s : c.timings.seconds) add(c.timed() ? number(s) : "");
    add(c.timed() ? number(c.timings.unaccounted()) : "");
    for (const double s : {c.planSeconds, c.setPointsSeconds, c.transferSeconds})
      add(c.timed() ? number(s) : "");
    add(std::to_string(c.memory));
    std::string runs;  // one cell, because rows have different numbers of runs
    for (const double s : c.runs) runs += (runs.empty() ? "" : " ") + number(s);
    add(runs);
    add(c.refused);
    csv += row + "\n";
  }
  return csv;
}

}  // namespace spokelab
