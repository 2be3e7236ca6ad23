#include "app/cli/tune_arguments.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/tune/sweep.h"
#include "engine/recon/scan_problem.h"

namespace spokelab::cli {

void TuneArguments::addTo(CLI::App& app) {
  std::vector<std::string> directions;
  for (Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
    directions.emplace_back(directionName(d));
  app.add_option("--direction", direction_, "What is timed: a reconstruction by gridding needs the adjoint")
      ->type_name('{' + joined(directions, ",") + '}')
      ->check(CLI::IsMember(directions).description(""))
      ->capture_default_str()
      ->group("Timing");
  app.add_option("--trials", trials_, "Repeats of each candidate; 0: as many as its time calls for")
      ->type_name("INTEGER")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str()
      ->group("Timing");
  app.add_option("--time-limit", timeLimit_, "Seconds that tuning may take; 0: by effort")
      ->type_name("NUMBER")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str()
      ->group("Timing");
  app.add_flag("--measure-error", measureError_, "Measure each candidate's error against exact sums")
      ->group("Timing");
}

TuneRequest TuneArguments::request(const ScanProblem& problem, const ReconOptions& options) const {
  TuneRequest request = tuneRequest(problem, options);
  request.direction = directionFromName(direction_);
  request.trials = trials_;
  request.timeLimit = timeLimit_;
  request.measureError = measureError_;
  return request;
}

void SweepArguments::addTo(CLI::App& app) {
  const auto positive = CLI::PositiveNumber.description("");
  app.add_option("--alphas", alphas_,
                 "Oversampling ratios to time, as in 1.25,1.5,2 (default: fast ones in (1, 2])")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(positive)
      ->group("Sweep");
  app.add_option("--widths", widths_,
                 "Kernel widths to time, as in 3,4,5.5 (default: " +
                     std::string(widths_.empty() ? "the smallest that meets the accuracy" : "a range") + ')')
      ->type_name("LIST")
      ->delimiter(',')
      ->check(positive)
      ->group("Sweep");
}

SweepRequest SweepArguments::request(const TuneRequest& base) const {
  SweepRequest request;
  request.alphas = alphas_;
  request.widths = widths_;
  if (request.alphas.empty()) {
    // Evenly spread over the fast ones at which some width meets the accuracy, both ends included.
    std::vector<double> able;
    for (double alpha : fastAlphas(base.problem))
      if (smallestWidth(base.problem, base.options.kernel, alpha, base.options.accuracy) > 0)
        able.push_back(alpha);
    const std::size_t count = std::min(count_, able.size());
    for (std::size_t i = 0; i < count; ++i)
      request.alphas.push_back(able[count == 1 ? able.size() - 1 : i * (able.size() - 1) / (count - 1)]);
    if (able.empty())
      throw Error("Cannot choose oversampling ratios", "none of the fast ones meets the accuracy",
                  "Ask for less accuracy, use double precision, or name them with --alphas");
  }
  request.base = base;
  return request;
}

void sayCandidates(CommandContext& context, const TuneResult& result) {
  constexpr double milli = 1e-3;
  context.say("    alpha      W  grid              total ms  interp.     fft    rest  predicted   measured");
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    if (!c.timed() && c.refused.empty()) continue;
    const int dims = c.grid[2] > 1 ? 3 : c.grid[1] > 1 ? 2 : 1;
    char text[256];
    if (c.timed())
      std::snprintf(text, sizeof text, "%c %7.4f %6.3f  %-16s %9.3f %8.3f %7.3f %7.3f   %8.2e   %s",
                    int(i) == result.best ? '*' : ' ', c.options.alpha, c.options.width,
                    sizeText(c.grid, dims).c_str(), c.timings.total / milli,
                    c.timings.interpolation() / milli, c.timings.fft() / milli, c.timings.rest() / milli,
                    c.predicted.relativeL2, c.measuredError ? numberText(*c.measuredError, 3).c_str() : "-");
    else
      std::snprintf(text, sizeof text, "  %7.4f %6.3f  %-16s refused: %.150s", c.options.alpha,
                    c.options.width, sizeText(c.grid, dims).c_str(), c.refused.c_str());
    context.say(std::string(text) + (c.backend == "cpu" ? "" : "  " + c.backend) + variantText(c.options));
  }
}

void addCsv(CLI::App& app, std::string& file) {
  app.add_option("--csv", file, "Write one row a candidate as CSV to FILE")
      ->type_name("FILE")
      ->group("Output");
}

}  // namespace spokelab::cli
