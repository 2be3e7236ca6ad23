// baseline: keeps timings and compares them with timings of a later version, driver or machine.
#include <cmath>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/comparison_text.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/measure/rank_test.h"
#include "engine/core/text.h"
#include "engine/profile/baseline/baseline.h"
#include "engine/profile/baseline/baseline_compare.h"
#include "engine/profile/baseline/baseline_json.h"
#include "engine/profile/baseline/baseline_measure.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend.h"

namespace spokelab::cli {
namespace {

constexpr double millisecond = 1e-3;

constexpr double readDone = 0.05, sweepDone = 0.2;  // of the progress bar

class BaselineCommand final : public Command {
 public:
  BaselineCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("baseline", "Keep timings, and compare later ones with them");
    scan_.addTo(*app, ScanArguments::Needed::no);
    const char* group = "Baseline";
    app->add_option("--save", save_, "Write the timings to FILE (JSON)")->type_name("FILE")->group(group);
    app->add_option("--against", against_, "Time the plans of this baseline again and compare")
        ->type_name("BASELINE")
        ->group(group);
    app->add_option("--with", with_, "Compare --against with this baseline; nothing is timed")
        ->type_name("BASELINE")
        ->group(group);
    app->add_option("--plans", plans_, "The plans: those timed in the JSON of a sweep, tuning or report")
        ->type_name("JSON")
        ->group(group);
    app->add_option("--name", name_, "Its name (default: the file's)")->type_name("NAME")->group(group);
    app->add_option("--rounds", settings_.rounds, "Repeats: each makes every plan anew, in random order")
        ->type_name("INTEGER")
        ->check(CLI::Range(4, 1000).description(""))
        ->capture_default_str()
        ->group(group);
    app->add_option("--executions", settings_.executions, "Executions of a round, whose median counts")
        ->type_name("INTEGER")
        ->check(CLI::Range(1, 1000).description(""))
        ->capture_default_str()
        ->group(group);
    app->add_option("--smallest", smallest_, "Relative change that matters; less counts as equal")
        ->type_name("NUMBER")
        ->check(CLI::Range(0.0, 10.0).description(""))
        ->capture_default_str()
        ->group(group);
    app->add_flag("--fail-if-slower", failIfSlower_, "Exit code 1 where an execution got slower")
        ->group(group);
    sweep_.addTo(*app);
    recon_.addTo(*app);
    tune_.addTo(*app);
    app->add_option("--csv", csv_, "Write the comparison as CSV to FILE")->type_name("FILE")->group("Output");
    addJson(*app, json_);
    app->footer(
        "A comparison takes scan, options and plans from the baseline; FILE is its scan's present place.\n"
        "Exit code 1: an answer is not as accurate as was promised, or something got slower with\n"
        "--fail-if-slower.\n"
        "Examples:\n  " +
        program + " baseline scan.h5 --alphas 1.25,1.5,2 --widths 4,6 --save before.json\n  " + program +
        " baseline --against before.json --save after.json\n  " + program +
        " baseline --against before.json --with after.json --csv verdicts.csv");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    for (const std::string& file : {against_, with_, plans_}) files.reads(file);
    for (const std::string& file : {save_, csv_, json_}) files.mayWrite(file);
  }

  void run(CommandContext& context) override {
    if (save_.empty() && against_.empty())
      throw Error("Cannot take a baseline", "it is not said what for",
                  "Keep it with --save FILE, or compare with an earlier one: --against BASELINE");
    if (against_.empty()) {
      const Baseline baseline = take(context);
      sayCases(context, baseline);
      keep(context, baseline);
      checkAnswers(context, baseline);
      context.json(json_, {{"baseline", toJson(baseline)}});
      return;
    }
    refuseOptions();
    const Baseline before = readBaseline(against_, context.progress);
    const Baseline after = with_.empty() ? again(context, before) : readBaseline(with_, context.progress);
    keep(context, after);
    const BaselineComparison comparison = compareBaselines(before, after, smallest_);
    sayComparison(context, comparison);
    const auto loadOf = [](const Baseline& b) {
      return b.origin.count("load") ? b.origin.at("load") : "unknown";
    };
    context.say(row("load then", loadOf(before)));
    context.say(row("load now", loadOf(after)));
    context.say(comparison.summary());
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(comparison));
    checkAnswers(context, after);
    if (failIfSlower_ && comparison.count(Verdict::slower) > 0)
      context.fail("Slower than " + before.name + ": " +
                   countText(comparison.count(Verdict::slower), "plan"));
    context.json(json_, {{"comparison", toJson(comparison)}});
  }

 private:
  // A comparison's scan, options and plans are the baseline's: what would be ignored is refused.
  void refuseOptions() const {
    for (const CLI::Option* option : app->get_options()) {
      const std::string group = option->get_group();
      const bool isOutputOption =
          group == "Output" || (group == "Baseline" && option->get_name() != "--plans");
      if (option->count() > 0 && !isOutputOption && !option->get_positional())
        throw Error("Cannot compare with " + against_,
                    option->get_name() + " was given, and the baseline says how its plans are made",
                    "Leave it out, or take a new baseline with it");
    }
  }

  Baseline take(CommandContext& context) {
    if (scan_.file().empty()) throw Error("Cannot take a baseline", "no scan is named", "Name a FILE");
    const ReconOptions options = recon_.options();
    const auto scan = scan_.read(context.progress.part(0, readDone));
    const std::vector<Backend*> backends =
        backendsFor(context.backends().all(), options.backend, options.devices);
    const ScanProblem problem = scanProblem(*scan, options);
    TuneRequest request = tune_.request(problem, options);
    request.trials = 1;  // the baseline's own rounds time the plans
    std::vector<Candidate> plans;
    if (plans_.empty()) {
      plans = sweepOfScan(backends, *scan, options, request, sweep_.policy(request),
                          context.progress.part(readDone, sweepDone))
                  .candidates;
    } else {
      plans = plansIn(plans_, context.progress);
    }
    return measureBaseline(nameOf(save_), *scan, scan_.options(), options, request.workload.direction, plans,
                           backends, settings_, context.commandLine, context.progress.part(sweepDone, 1));
  }

  Baseline again(CommandContext& context, const Baseline& before) {
    const std::string file = scan_.file().empty() ? before.scan : scan_.file();
    declareScan(context.files, file);
    declareMaps(context.files, before.options);
    const auto scan = readScan(file, before.reading, context.progress.part(0, readDone));
    Baseline after = measureAgain(before, *scan, context.backends().all(), settings_, context.commandLine,
                                  context.progress.part(readDone, 1));
    after.name = nameOf(save_);
    return after;
  }

  std::string nameOf(const std::string& file) const {
    if (!name_.empty()) return name_;
    return file.empty() ? "this run" : std::filesystem::path(file).stem().string();
  }

  void keep(CommandContext& context, const Baseline& baseline) const {
    if (save_.empty()) return;
    writeBaseline(baseline, save_);
    context.say(row("written", save_));
  }

  static void checkAnswers(CommandContext& context, const Baseline& baseline) {
    for (const PlanMeasurement& c : baseline.cases)
      if (!c.answerHolds())
        context.fail("The answer of " + c.name +
                     " is not as accurate as promised: " + numberText(*c.plan.measuredError, 3) +
                     " instead of " + numberText(c.plan.options.accuracy, 3));
  }

  static void sayCases(CommandContext& context, const Baseline& baseline) {
    context.say(baseline.name + ", " + std::string(directionName(baseline.direction)) + ", " +
                countText(std::int64_t(baseline.control.size()), "round") + " of " +
                countText(baseline.executions, "execution"));
    context.say("    median ms  spread   set-up ms  error     plan");
    for (const PlanMeasurement& c : baseline.cases) {
      if (c.seconds.empty()) {
        context.say("  " + c.name + ": refused: " + c.plan.refused);
        continue;
      }
      context.say("  " + fixedText(medianOf(c.seconds) / millisecond, 3, 11) + "  " +
                  rightAligned(percentText(relativeSpread(c.seconds), 1), 6) + "  " +
                  fixedText(medianOf(c.setUpSeconds) / millisecond, 3, 10) + "  " +
                  leftAligned(c.plan.measuredError ? numberText(*c.plan.measuredError, 2) : "-", 8) + "  " +
                  c.name);
    }
    context.say(row("machine's load", baseline.origin.at("load")));
  }

  static constexpr std::size_t defaultAlphas = 5;
  ScanArguments scan_;
  ReconArguments recon_;
  TuneArguments tune_;
  SweepArguments sweep_{defaultAlphas, {}};
  BaselineSettings settings_;
  std::string save_, against_, with_, plans_, name_, csv_, json_;
  double smallest_ = 0.02;
  bool failIfSlower_ = false;
};

}  // namespace

std::unique_ptr<Command> makeBaselineCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<BaselineCommand>(parent, program);
}

}  // namespace spokelab::cli
