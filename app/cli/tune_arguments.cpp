#include "app/cli/tune_arguments.h"

#include <algorithm>
#include <cmath>

#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/recon/run/scan_problem.h"

namespace spokelab::cli {
namespace {

constexpr double millisecond = 1e-3;
constexpr std::size_t maxReasonLength = 150;

}  // namespace

void TuneArguments::addTo(CLI::App& app) {
  app.add_flag("--measure-error", measureError_, "Measure each candidate's error against exact sums")
      ->group("Tuning");
}

TuneRequest TuneArguments::request(const ScanProblem& problem, const ReconOptions& options) const {
  TuneRequest request = tuneRequest(problem, options);
  request.measureError = measureError_;
  request.mustTime = true;
  return request;
}

void SweepArguments::addTo(CLI::App& app) {
  const CLI::Validator numbers(
      [](const std::string& text) {
        try {
          realNumberList(text, "");
          return std::string();
        } catch (const Error& error) {
          return error.reason();
        }
      },
      "");
  app.add_option("--alphas", alphas_,
                 "Oversampling ratios to time, as in 1.25,1.5,2 or from:to:step, 1.25:2:0.125 (default: fast "
                 "ones in (1, 2])")
      ->type_name("LIST")
      ->check(numbers)
      ->group("Sweep");
  app.add_option("--widths", widths_,
                 "Kernel widths to time, as in 3,4,5.5 or 3:7:0.5 (default: " +
                     std::string(widths_.empty() ? "the smallest that meets the accuracy" : "a range") + ')')
      ->type_name("LIST")
      ->check(numbers)
      ->group("Sweep");
  over_ = breadthText({});
  app.add_option(
         "--over", over_,
         "Sweep as well over other kernels, precomputations, implementations, and over the paths of a normal "
         "operator (Toeplitz padded over alpha_T, Toeplitz shifted): some of these words, with commas "
         "between them, or none")
      ->type_name("LIST")
      ->capture_default_str()
      ->group("Sweep");
}

SweepPolicy SweepArguments::policy(const TuneRequest& base) const {
  SweepPolicy policy;
  policy.breadth = breadthFromText(over_);
  policy.alphas = alphas_.empty() ? sweepAlphas(base.problem, base.options, alphaCount_)
                                  : realNumberList(alphas_, "Cannot sweep over these ratios");
  if (!widths_.empty()) policy.widths = realNumberList(widths_, "Cannot sweep over these widths");
  return policy;
}

void sayCandidates(CommandContext& context, const TuneResult& result) {
  context.say(row("workload", workloadText(result.workload)));
  context.say(
      "    alpha      W  grid               cost ms  interp.     fft    rest  set-up  predicted  worst px   "
      "measured  spread (repeats)");
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    if (!c.timed() && c.refused.empty()) continue;
    const CandidatePath path = pathOf(c);  // a convolution has alpha_T or nothing, and no W
    std::string text =
        std::string(int(i) == result.best ? "* " : "  ") +
        (path.alpha > 0 ? fixedText(path.alpha, 4, 7) : rightAligned("-", 7)) + ' ' +
        ((path.isGrid() || path.over == SweptOver::alpha) && c.options.width > 0 && c.innerAlpha == 0
             ? fixedText(c.options.width, 3, 6)
             : rightAligned("-", 6)) +
        "  " + leftAligned(sizeText(c.grid, dimensions(c.grid), " x "), 16) + ' ';
    if (c.timed())
      text += fixedText(c.cost() / millisecond, 3, 9) + ' ' +
              fixedText(c.timings.interpolation() / millisecond, 3, 8) + ' ' +
              fixedText(c.timings.fft() / millisecond, 3, 7) + ' ' +
              fixedText(c.timings.rest() / millisecond, 3, 7) + ' ' +
              fixedText(c.setUp() / millisecond, 3, 7) + "   " +
              rightAligned(scientificText(c.predictedError(), 2), 8) + "  " +
              rightAligned(scientificText(c.predicted.worstPixel, 2), 8) + "   " +
              leftAligned(c.measuredError ? numberText(*c.measuredError, 3) : "-", 8) + "  " +
              (isSingleRepeat(c) ? "once" : percentText(c.spread) + " (" + std::to_string(c.repeats) + ")");
    else
      text += "refused: " + c.refused.substr(0, maxReasonLength);
    const bool exact = isExact(c.path.transform);
    context.say(text + (c.backend == "cpu" ? "" : "  " + c.backend) +
                (c.innerAlpha > 0 ? ", inner grid" : "") +
                (exact ? ", " + path.name : variantText(c.options)) +
                (exact || pathText(c.path).empty() ? "" : ", " + pathText(c.path)));
  }
}

void addCsv(CLI::App& app, std::string& file) {
  app.add_option("--csv", file, "Write one row a candidate as CSV to FILE")
      ->type_name("FILE")
      ->group("Output");
}

}  // namespace spokelab::cli
