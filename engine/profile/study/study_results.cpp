#include "engine/profile/study/study_results.h"

#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/csv.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/results_read.h"
#include "engine/profile/study/study_text.h"

namespace spokelab {
using csv::number;
using csv::quoted;

nlohmann::json toJson(const StudyResult& result) {
  nlohmann::json rows = nlohmann::json::array();
  for (const StudyRow& row : result.rows) {
    nlohmann::json j{{"pattern", row.c.pattern},
                     {"size", row.c.size},
                     {"acceleration", row.c.acceleration},
                     {"accuracy", row.c.accuracy},
                     {"points", row.c.points},
                     {"variant", row.variant},
                     {"dims", row.dims},
                     {"direction", row.direction},
                     {"candidate", candidateToJson(row.candidate)}};
    if (!row.refused.empty()) {
      j["refused"] = row.refused;
    } else {
      j["panel"] = row.panel;
      j["series"] = row.series;
      j["x"] = row.x;
      j["y"] = row.y;
      if (row.yHigh > 0) j["yQuartiles"] = {row.yLow, row.yHigh};
      if (row.timedOnce) j["timedOnce"] = true;
      j["seconds"] = row.seconds;
      j["transferSeconds"] = row.transferSeconds;
      j["setUpSeconds"] = row.setUpSeconds;
      if (row.speedUp > 0) j["speedUp"] = row.speedUp;
    }
    rows.push_back(std::move(j));
  }
  const StudyRequest& r = result.request;
  nlohmann::json j{{"name", r.study},
                   {"title", result.title},
                   {"source", result.source},
                   {"sizes", r.sizes},
                   {"accelerations", r.accelerations},
                   {"accuracies", r.accuracies},
                   {"patterns", r.patterns},
                   {"alphas", r.alphas},
                   {"threads", r.threads},
                   {"axes",
                    {{"x", result.axes.x},
                     {"y", result.axes.y},
                     {"logX", result.axes.logX},
                     {"logY", result.axes.logY},
                     {"categories", result.axes.categories}}},
                   {"cancelled", result.cancelled},
                   {"rows", rows}};
  if (!r.ranks.empty()) j["ranks"] = r.ranks;
  if (r.crowdedSums) j["crowdedSums"] = crowdedSumsName(*r.crowdedSums);
  if (!loadText(result.load).empty()) j["load"] = loadToJson(result.load);
  return j;
}

namespace {

StudyRow rowFromJson(const nlohmann::json& j) {
  StudyRow row;
  row.c.pattern = j.at("pattern").get<std::string>();
  row.c.size = countAt<int>(j, "size");
  row.c.acceleration = numberAt(j, "acceleration", notNegative);
  row.c.accuracy = numberAt(j, "accuracy", notNegative);
  row.c.points = countAt<std::int64_t>(j, "points");
  row.variant = j.at("variant").get<std::string>();
  row.dims = countAt<int>(j, "dims", 0, 3);
  row.direction = j.at("direction").get<std::string>();
  row.candidate = candidateOfJson(j.at("candidate"));
  row.refused = j.value("refused", std::string());
  if (!row.refused.empty()) return row;
  row.panel = j.at("panel").get<std::string>();
  row.series = j.at("series").get<std::string>();
  row.x = numberFromJson(j.at("x"));  // null, no number: charts leave such a place out
  row.y = numberFromJson(j.at("y"));
  if (j.contains("yQuartiles")) {
    row.yLow = checkedNumber(j.at("yQuartiles").at(0), "yQuartiles");
    row.yHigh = checkedNumber(j.at("yQuartiles").at(1), "yQuartiles");
  }
  row.timedOnce = j.value("timedOnce", false);
  row.seconds = numberAt(j, "seconds", notNegative);
  row.transferSeconds = numberAt(j, "transferSeconds", notNegative);
  row.setUpSeconds = numberAt(j, "setUpSeconds", notNegative);
  if (j.contains("speedUp")) row.speedUp = numberAt(j, "speedUp", notNegative);
  return row;
}

}  // namespace

StudyResult studyFromJson(const nlohmann::json& j) {
  StudyResult result;
  StudyRequest& r = result.request;
  r.study = j.at("name").get<std::string>();
  r.sizes = countsAt<int>(j, "sizes");
  r.accelerations = numbersAt(j, "accelerations", notNegative);
  r.accuracies = numbersAt(j, "accuracies", notNegative);
  r.patterns = j.at("patterns").get<std::vector<std::string>>();
  r.threads = countsAt<int>(j, "threads");
  // Files of earlier versions have neither ratios nor load.
  if (j.contains("alphas")) r.alphas = numbersAt(j, "alphas", notNegative);
  if (j.contains("ranks")) r.ranks = countsAt<int>(j, "ranks");
  if (j.contains("crowdedSums")) r.crowdedSums = crowdedSumsFromName(j.at("crowdedSums").get<std::string>());
  if (j.contains("load")) result.load = loadFromJson(j.at("load"));
  result.title = j.at("title").get<std::string>();
  result.source = j.at("source").get<std::string>();
  const nlohmann::json& axes = j.at("axes");
  result.axes = {axes.at("x").get<std::string>(), axes.at("y").get<std::string>(),
                 axes.at("logX").get<bool>(), axes.at("logY").get<bool>(),
                 axes.at("categories").get<std::vector<std::string>>()};
  result.cancelled = j.at("cancelled").get<bool>();
  for (const nlohmann::json& row : j.at("rows")) result.rows.push_back(rowFromJson(row));
  return result;
}

std::string toCsv(const StudyResult& result) {
  std::string text =
      "pattern,size,acceleration,accuracy,points,variant,backend,spread,interpolate,normal,alpha,width,"
      "seconds,interpolationSeconds,fftSeconds,transferSeconds,setUpSeconds,nsPerPoint,"
      "nsPerPointWithSetUp,speedUp,dims,direction,threads,panel,series,x,y,toeplitzAlpha,repeats,yLow,"
      "yHigh,otherProcessors,refused\n";
  const std::string others = result.load.others >= 0 ? number(result.load.others) : std::string();
  for (const StudyRow& row : result.rows) {
    const NufftOptions& o = row.candidate.options;
    const StageTimings& t = row.candidate.timings;
    // Alpha and width of a convolution are of the transforms that made it, and no part of its time.
    const bool convolution = isConvolution(row);
    const double perPoint = row.c.points > 0 ? 1e9 / double(row.c.points) : 0;
    for (const std::string& field : {row.c.pattern,
                                     std::to_string(row.c.size),
                                     number(row.c.acceleration),
                                     number(row.c.accuracy),
                                     std::to_string(row.c.points),
                                     quoted(row.variant),
                                     row.candidate.backend,
                                     std::string(methodName(o.spread)),
                                     std::string(methodName(o.interpolate)),
                                     std::string(normalMethodName(o.normal)),
                                     convolution ? "" : number(o.alpha),
                                     convolution ? "" : number(o.width),
                                     number(row.seconds),
                                     number(t.interpolation()),
                                     number(t.fft()),
                                     number(row.transferSeconds),
                                     number(row.setUpSeconds),
                                     number(row.seconds * perPoint),
                                     number((row.seconds + row.setUpSeconds) * perPoint),
                                     number(row.speedUp),
                                     std::to_string(row.dims),
                                     row.direction,
                                     std::to_string(o.threads),
                                     quoted(row.panel),
                                     quoted(row.series),
                                     number(row.x),
                                     number(row.y),
                                     o.toeplitzAlpha > 0 ? number(o.toeplitzAlpha) : "",
                                     row.candidate.repeats > 0 ? std::to_string(row.candidate.repeats) : "",
                                     row.yHigh > 0 ? number(row.yLow) : "",
                                     row.yHigh > 0 ? number(row.yHigh) : "",
                                     others})
      text += field + ',';
    text += quoted(row.refused) + '\n';
  }
  return text;
}

}  // namespace spokelab
