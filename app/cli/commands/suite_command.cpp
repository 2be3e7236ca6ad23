// suite: a list of cases, run as one and resumed where it stopped.
#include <cstdio>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/commands/traced_job.h"
#include "app/cli/shard_arguments.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/shards/device_shares.h"
#include "engine/profile/suite/suite.h"
#include "engine/profile/suite/suite_claims.h"
#include "engine/profile/suite/suite_run.h"
#include "engine/recon/sense/backend.h"

namespace spokelab::cli {
namespace {

class SuiteCommand final : public Command {
 public:
  SuiteCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("suite", "Run a list of studies and sweeps, and continue where it stopped");
    app->add_option("SUITE", suite_, "Its file (JSON), or one of " + joined(suiteNames(), ", "))
        ->type_name("")
        ->required();
    app->add_option("-o,--output", folder_, "Folder of its results; what is finished there is kept")
        ->type_name("DIR")
        ->required();
    app->add_option("--backend", backend_, "Backends to compare")
        ->type_name("{auto,cpu,cuda}|NAME")
        ->capture_default_str();
    addDevices(*app, devices_);
    app->add_flag("--again", again_, "Run again what is finished");
    app->add_flag("--list", list_, "Name the cases, run none");
    shard_.addTo(*app);
    addJson(*app, json_);
    addTrace(*app, trace_, "when which case ran, its plans and the stages of their transforms");
    app->footer(
        "Writes results.json and results.csv, and where there are studies report.html (figures, numbers) and "
        "verdicts.md on the papers' claims, and "
        "a\nfile for each case when it is finished. After a cancel, a\n"
        "crash or a power failure the same command runs what is missing. Exit code 1: a case failed.\n"
        "Examples:\n  " +
        program + " suite quick -o quick\n  " + program + " suite papers -o papers --backend cpu\n  " +
        program + " suite papers -o papers --backend cuda --devices all\n  " + program +
        " suite ours.json -o ours\n  " + program + " suite papers -o papers --shard 3/16\n  " + program +
        " suite papers -o papers --shards 16 --slurm papers.sh");
  }

  void declare(JobFiles& files) const override {
    if (std::filesystem::exists(suite_)) files.reads(suite_);
    shard_.declare(files);
    if (shard_.wantsScript()) return;
    files.writes(shard_.file(json_));
    files.mayWrite(shard_.file(trace_));
    if (list_) return;
    for (const char* name : {"results.json", "results.csv"}) files.writesInto(folder_, shard_.file(name));
  }

  void run(CommandContext& context) override {
    const Suite suite = suiteFrom(suite_, context.progress);
    const Shard shard = shard_.shard();
    if (list_) return list(context, suite, shard);
    if (shard_.wantsScript())
      return shard_.writeScript(context, {(std::filesystem::path(folder_) / "results.json").string()});
    const std::vector<DeviceShare> shares = deviceShares(context.backends().all(), backend_, devices_, shard);
    TracedJob traced(shard_.file(trace_));
    const SuiteResult result = shares.size() > 1 ? runSuiteOnDevices(shares, suite, folder_, again_,
                                                                     context.commandLine, context.progress)
                                                 : runSuite(suite, folder_, shares.front().backends, again_,
                                                            context.commandLine, context.progress, {}, shard);
    if (result.cancelled) throw Cancelled{};
    traced.write("Suite " + suite.name, context.progress);
    int failed = 0;
    context.say(suite.name + ": " + countText(std::int64_t(result.cases), "case"));
    nlohmann::json rows = nlohmann::json::array();
    for (const SuiteRow& r : result.rows) {
      const bool bad = r.state == SuiteState::failed || r.state == SuiteState::crashed;
      failed += bad;
      context.say(row(std::string(suiteStateName(r.state)),
                      r.name +
                          (bad ? "" : ", " + countText(r.results, "result") + ", " + secondsText(r.seconds)) +
                          (r.why.empty() ? "" : ": " + r.why)));
      rows.push_back({{"name", r.name},
                      {"state", suiteStateName(r.state)},
                      {"why", r.why},
                      {"seconds", r.seconds},
                      {"results", r.results}});
    }
    int verdicts[3] = {};
    for (const ClaimResult& claim : result.claims) ++verdicts[int(claim.verdict)];
    if (!result.claims.empty()) {
      std::string text;
      for (const ClaimVerdict verdict : {ClaimVerdict::holds, ClaimVerdict::fails, ClaimVerdict::unclear})
        text += (text.empty() ? "" : ", ") + std::string(claimVerdictName(verdict)) + " " +
                std::to_string(verdicts[int(verdict)]);
      context.say(row("papers' claims", text + " (" + verdictsFile + ")"));
    }
    context.say(row("written", folder_));
    traced.say(context);
    if (failed > 0) context.fail(countText(failed, "case") + " of the suite failed");
    context.json(shard_.file(json_), {{"suite", suite.name}, {"cases", rows}});
  }

 private:
  static void list(CommandContext& context, const Suite& suite, const Shard& shard) {
    const std::vector<SuiteCase> cases = splitCases(suite);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (shard.owns(i)) {
        context.say("  " + cases[i].name());
        ++count;
      }
    context.say(countText(count, "case"));
  }

  ShardArguments shard_;
  std::string suite_, folder_, backend_ = "auto", devices_ = firstDevice, json_, trace_;
  bool again_ = false, list_ = false;
};

}  // namespace

std::unique_ptr<Command> makeSuiteCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<SuiteCommand>(parent, program);
}

}  // namespace spokelab::cli
