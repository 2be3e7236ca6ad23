#include "engine/profile/results/csv.h"

#include "engine/core/text.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/sweep/candidate_path.h"

namespace spokelab {

std::string csv::quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string q = "\"";
  for (const char c : text) q += c == '"' ? std::string("\"\"") : std::string(1, c);
  return q + "\"";
}

std::string csv::number(double v) {
  constexpr int digits = 9;
  return numberText(v, digits);
}

std::string csv::line(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (&cell == cells.data() ? "" : ",") + quoted(cell);
  return text + '\n';
}

std::string csvColumns() {
  std::string csv =
      "best,path,backend,spread,interpolate,kernel,accuracy,alpha,width,toeplitz_alpha,inner_alpha,grid_x,grid_y,grid_z,"
      "threads,predicted_error,transform_error,worst_pixel,rounding,error_bound,measured_error,predicted_s,"
      "cost_s,cost_low_quartile_s,cost_high_quartile_s,total_s,spread_of_total,repeats";
  for (const std::string_view stage : stageNames) csv += "," + std::string(stage) + "_s";
  return csv + ",unaccounted_s,plan_s,set_points_s,transfers_s,memory_bytes,runs_s,refused";
}

std::string toCsv(const TuneResult& result) {
  return csvColumns() + '\n' + csvRows(result, {});
}

std::string csvRows(const TuneResult& result, const std::vector<std::string>& before) {
  std::string csv;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    const NufftOptions& o = c.options;
    const CandidatePath path = pathOf(c);
    std::vector<std::string> cells = before;
    const auto add = [&cells](bool isKnown, double value) {
      cells.push_back(isKnown ? csv::number(value) : std::string());
    };
    cells.emplace_back(int(i) == result.best ? "1" : "0");
    for (const std::string_view name :
         {std::string_view(path.name), std::string_view(c.backend), methodName(o.spread),
          methodName(o.interpolate), kernelName(o.kernel)})
      cells.emplace_back(name);
    for (const double v : {o.accuracy, o.alpha, o.width}) add(true, v);
    add(path.over == SweptOver::toeplitzAlpha, path.alpha);
    add(c.innerAlpha > 0, c.innerAlpha);
    for (const std::int64_t g : c.grid) cells.push_back(std::to_string(g));
    cells.push_back(std::to_string(o.threads));
    for (const double v : {c.predictedError(), c.predicted.relativeL2, c.predicted.worstPixel,
                           c.predicted.rounding, c.predicted.bound})
      add(true, v);
    add(c.measuredError.has_value(), c.measuredError.value_or(0));
    add(true, c.predictedSeconds);
    add(c.timed(), c.seconds);
    const CostQuartiles quartiles = costQuartiles(c);
    // A single repeat has none.
    for (const double s : {quartiles.low, quartiles.high}) add(c.timed() && !isSingleRepeat(c), s);
    for (const double s : {c.timings.total, c.spread}) add(c.timed(), s);
    cells.push_back(std::to_string(c.repeats));
    for (const double s : c.timings.seconds) add(c.timed(), s);
    for (const double s : {c.timings.unaccounted(), c.planSeconds, c.setPointsSeconds, c.transferSeconds})
      add(c.timed(), s);
    cells.push_back(std::to_string(c.memory));
    std::string runs;  // one cell, because rows have different numbers of runs
    for (const double s : c.runs) runs += (runs.empty() ? "" : " ") + csv::number(s);
    cells.push_back(runs);
    cells.push_back(c.refused);
    csv += csv::line(cells);
  }
  return csv;
}

}  // namespace spokelab
