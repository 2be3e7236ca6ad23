// runs: what was timed in a session of the window, listed, exported and compared.
#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/comparison_text.h"
#include "app/cli/text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/runs/compare_runs.h"
#include "engine/profile/runs/runs_json.h"
#include "engine/profile/session/saved_session.h"

namespace spokelab::cli {
namespace {

class RunsCommand final : public Command {
 public:
  RunsCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("runs", "List, export and compare what was timed in a session");
    app->add_option("SESSION", session_, "A session that the window has saved")
        ->required()
        ->type_name("SESSION");
    app->add_option("--run", numbers_, "These runs alone, by their numbers")
        ->type_name("INTEGER...")
        ->delimiter(',');
    app->add_option("--compare", compared_, "Two runs, plan by plan: did anything get faster or slower?")
        ->type_name("BEFORE,AFTER")
        ->delimiter(',')
        ->expected(2)
        ->excludes("--run");
    app->add_option("--csv", csv_, "Write a row for each plan to FILE")->type_name("FILE")->group("Output");
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " runs study.spokelab\n  " + program +
                " runs study.spokelab --run 2,5 --csv runs.csv --json runs.json\n  " + program +
                " runs study.spokelab --compare 2,5");
  }

  void declare(JobFiles& files) const override {
    files.reads(session_);
    files.writes(csv_);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    std::vector<TimedRun> runs = loadSession(session_, context.progress, false).session.runs;
    const std::vector<int>& exportedNumbers = compared_.empty() ? numbers_ : compared_;
    for (const int number : exportedNumbers) find(runs, number);
    if (!compared_.empty()) compare(context, find(runs, compared_[0]), find(runs, compared_[1]));
    if (!exportedNumbers.empty())
      std::erase_if(runs, [&](const TimedRun& run) {
        return std::find(exportedNumbers.begin(), exportedNumbers.end(), run.number) == exportedNumbers.end();
      });
    if (compared_.empty()) {
      for (const TimedRun& run : runs) say(context, run);
      context.say(countText(std::int64_t(runs.size()), "run"));
    }
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(runs));
    context.json(json_, exportedRuns(runs));
  }

 private:
  const TimedRun& find(const std::vector<TimedRun>& runs, int number) const {
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const TimedRun& run) { return run.number == number; });
    if (found == runs.end())
      throw Error("There is no run " + std::to_string(number),
                  session_ + " has " + countText(std::int64_t(runs.size()), "run"),
                  "Leave --run and --compare out to list them");
    return *found;
  }

  static void compare(CommandContext& context, const TimedRun& before, const TimedRun& after) {
    const BaselineComparison comparison = compareRuns(before, after);
    sayComparison(context, comparison);
    context.say(comparison.summary());
  }

  static void say(CommandContext& context, const TimedRun& run) {
    const TuneResult& timed = *run.timed;
    context.say(std::to_string(run.number) + "  " + run.title());
    context.say(row("timed", std::string(runKindName(run.kind)) + " of " + run.scan + ", " +
                                 countText(run.plans(), "plan") + ", " + countText(run.repeats(), "repeat") +
                                 " at most, " + workloadText(timed.workload)));
    if (!run.time.empty())
      context.say(row("when, where", run.time + ", " + run.machine +
                                         (run.load ? ", load " + numberText(*run.load) : std::string())));
    if (timed.best >= 0) {
      const Candidate& best = timed.candidates[std::size_t(timed.best)];
      context.say(row("best", planText(best) + (best.timed() ? ", " + secondsText(best.cost()) : "")));
    }
  }

  std::string session_, csv_, json_;
  std::vector<int> numbers_, compared_;
};

}  // namespace

std::unique_ptr<Command> makeRunsCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<RunsCommand>(parent, program);
}

}  // namespace spokelab::cli
