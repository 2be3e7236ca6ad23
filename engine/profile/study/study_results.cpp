#include "engine/profile/study/study_results.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/documents/fields.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/results.h"
#include "engine/profile/study/study_text.h"

namespace spokelab {
using csv::number;

template <class F, Either<StudyRow> R>
static void fields(F& f, R& row) {
  // Charts leave a place out that is not a number.
  constexpr NullIs noPlace{std::numeric_limits<double>::quiet_NaN(), anyNumber};
  f("pattern", row.c.pattern);
  f("size", row.c.size);
  f("acceleration", row.c.acceleration, notNegative);
  f("accuracy", row.c.accuracy, notNegative);
  f("points", row.c.points);
  f("variant", row.variant);
  f("dims", row.dims, Whole{0, 3});
  f("direction", row.direction);
  f("candidate", row.candidate, Through{candidateToJson, candidateOfJson});
  f.when(!row.refused.empty(), "refused", row.refused);
  if (!row.refused.empty()) return;
  f("panel", row.panel);
  f("series", row.series);
  f("x", row.x, noPlace);
  f("y", row.y, noPlace);
  std::array<double, 2> quartiles = {row.yLow, row.yHigh};
  f.when(row.yHigh > 0, "yQuartiles", quartiles);
  if constexpr (!std::is_const_v<R>) {
    row.yLow = quartiles[0];
    row.yHigh = quartiles[1];
  }
  f.when(row.timedOnce, "timedOnce", row.timedOnce);
  f("seconds", row.seconds, notNegative);
  f("transferSeconds", row.transferSeconds, notNegative);
  f("setUpSeconds", row.setUpSeconds, notNegative);
  f.when(row.speedUp > 0, "speedUp", row.speedUp, notNegative);
}

template <class F, Either<StudyAxes> A>
static void fields(F& f, A& axes) {
  f("x", axes.x);
  f("y", axes.y);
  f("logX", axes.logX);
  f("logY", axes.logY);
  f("categories", axes.categories);
}

template <class F, Either<StudyResult> S>
static void fields(F& f, S& result) {
  auto& request = result.request;
  f("name", request.study);
  f("title", result.title);
  f("source", result.source);
  f("sizes", request.sizes);
  f("accelerations", request.accelerations, notNegative);
  f("accuracies", request.accuracies, notNegative);
  f("patterns", request.patterns);
  f("threads", request.threads);
  f.when(true, "alphas", request.alphas, notNegative);
  f.when(!request.ranks.empty(), "ranks", request.ranks);
  f.when(request.trials > 0, "trials", request.trials);
  f.when(request.crowdedSums.has_value(), "crowdedSums", request.crowdedSums,
         Named{crowdedSumsName, crowdedSumsFromName});
  f("axes", result.axes);
  f("cancelled", result.cancelled);
  f("rows", result.rows);
  f.when(!loadText(result.load).empty(), "load", result.load, Through{loadToJson, loadFromJson});
}

nlohmann::json toJson(const StudyResult& result) {
  return asJson(result);
}

StudyResult studyFromJson(const nlohmann::json& j) {
  StudyResult result;
  readFields(j, result);
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
    text += csv::line({row.c.pattern,
                       std::to_string(row.c.size),
                       number(row.c.acceleration),
                       number(row.c.accuracy),
                       std::to_string(row.c.points),
                       row.variant,
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
                       row.panel,
                       row.series,
                       number(row.x),
                       number(row.y),
                       o.toeplitzAlpha > 0 ? number(o.toeplitzAlpha) : "",
                       row.candidate.repeats > 0 ? std::to_string(row.candidate.repeats) : "",
                       row.yHigh > 0 ? number(row.yLow) : "",
                       row.yHigh > 0 ? number(row.yHigh) : "",
                       others,
                       row.refused});
  }
  return text;
}

}  // namespace spokelab
