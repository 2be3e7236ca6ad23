// study: a study of the papers, rerun on this machine.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/commands/traced_job.h"
#include "app/cli/keepers/study_keeper.h"
#include "app/cli/ranks/rank_backend.h"
#include "app/cli/replay_output.h"
#include "app/cli/shard_arguments.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/shard_json.h"
#include "engine/profile/shards/device_shares.h"
#include "engine/profile/study/study.h"
#include "engine/profile/study/study_page.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/study/study_text.h"
#include "engine/profile/suite/study_replay.h"
#include "engine/profile/suite/suite_claims.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"

namespace spokelab::cli {
namespace {

constexpr double millisecond = 1e-3;

class StudyCommand final : public Command {
 public:
  StudyCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("study", "Rerun a study of the papers on this machine");
    std::vector<std::string> names;
    std::string list = "The studies:\n";
    for (const StudyInfo& info : studies()) {
      names.push_back(info.name);
      list += row(info.name, info.title + " (" + info.source + ")") + '\n';
    }
    auto* const name = app->add_option("name", request_.study, "The study's name, from the list below")
                           ->type_name("NAME")
                           ->check(CLI::IsMember(names).description(""));
    auto* const all =
        app->add_flag("--list", list_, "Each study: its paper's figure, what is the same, what is not");
    auto* const again =
        app->add_option(
               "--replay", replay_,
               "Repeat what is in FILE, number beside number: the JSON of a study or of a replay, or "
               "the results.json of a suite")
            ->type_name("FILE");
    app->callback([name, all, again] {
      if (name->count() + all->count() + again->count() == 0) throw CLI::RequiredError("NAME");
    });
    const auto positive = CLI::PositiveNumber.description("");
    app->add_option("--sizes", request_.sizes, "Image sizes N of N x N x N (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--accelerations", request_.accelerations, "Accelerations R (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--accuracies", request_.accuracies, "Relative errors (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--patterns", request_.patterns, "Patterns: " + joined(studyPatterns(), ", "))
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::IsMember(studyPatterns()).description(""));
    app->add_option("--alpha", request_.alphas,
                    "Oversampling ratios, several where the study compares them (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--threads", request_.threads, "Numbers of threads to compare (default: 1, 2, 4 ... all)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option(
           "--crowded-sums", crowdedSums_,
           "Crowded points: auto (summed apart, as in reconstructions) or off (default: the study's)")
        ->type_name("{auto,off}")
        ->check(CLI::IsMember({"auto", "off"}).description(""));
    app->add_option(
           "--ranks", request_.ranks,
           "Numbers of ranks to compare (default: 1, 2, 4 ... all, and twice as many as there are GPUs)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--backend", backend_, "Backends to compare")
        ->type_name("{auto,cpu,cuda}|NAME")
        ->capture_default_str();
    addDevices(*app, devices_);
    app->add_option("--trials", request_.trials, "Repeats of each candidate; 0: chosen from its time")
        ->type_name("INTEGER")
        ->check(CLI::NonNegativeNumber.description(""));
    shard_.addTo(*app);
    addCsv(*app, csv_);
    addJson(*app, json_);
    app->add_option("--report", report_,
                    "Write figures, claims and numbers as one page to FILE: .html, by spokelab .pdf, too; "
                    "the JSON beside it, unless --json names another")
        ->type_name("FILE")
        ->group("Output");
    addTrace(*app, trace_, "when which of its plans was timed, and the stages of their transforms");
    app->footer(list + "Examples:\n  " + program + " study alpha --sizes 62 --csv alpha.csv\n  " + program +
                " study gains --sizes 64 --csv gains.csv\n  " + program +
                " study spreading --sizes 64,128 --json spreading.json --report spreading.html\n  " +
                program + " study weak-scaling --backend cuda --ranks 1,2,4\n  mpirun -n 4 " + program +
                " study weak-scaling --backend cpu --sizes 41\n  " + program +
                " study --replay spreading.json --report again.html");
  }

  void declare(JobFiles& files) const override {
    shard_.declare(files);
    files.reads(replay_);
    if (shard_.wantsScript()) return;
    files.writes(shard_.file(csv_));
    files.writes(shard_.file(jsonFile()));
    files.writes(report_);
    files.mayWrite(shard_.file(trace_));
  }

  // True for a study of ranks, the processes of mpirun or srun. Others run whole in each process.
  bool usesRanks() const override { return usesOf(request_.study).ranks; }

  void run(CommandContext& context) override {
    if (list_) return sayStudies(context);
    if (wantsPdf() && !context.hooks.drawStudyPdf)
      throw Error("Cannot write " + report_, "this program draws no PDF",
                  "Use spokelab, or a name that ends in .html");
    if (!replay_.empty()) return repeat(context);
    refuseUnused();
    if (!crowdedSums_.empty()) request_.crowdedSums = crowdedSumsFromName(crowdedSums_);
    if (shard_.wantsScript()) return shard_.writeScript(context, {json_});
    const Shard shard = shard_.shard();
    const std::string csv = shard_.file(csv_), json = shard_.file(jsonFile());
    StudyKeeper keeper(context, csv, json);
    TracedJob traced(shard_.file(trace_));
    const auto runShare = [&](const DeviceShare& share, const Progress& progress) {
      const std::vector<NufftBackend*> backends(share.backends.begin(), share.backends.end());
      StudyResult result = runStudy(
          backends, request_, progress,
          [&](const StudyRow& row, const StudyAxes& axes) { keeper.seen(request_, row, axes); }, share.shard,
          context.ranks);
      if (!result.cancelled) return result;
      keeper.keep(result);
      throw Cancelled{};
    };
    const auto documentOf = [&](const StudyResult& result, const Shard& part) {
      nlohmann::json document = {{"study", toJson(result)}};
      const std::vector<ClaimResult> judged = checkClaims(result);
      if (!judged.empty() && part.isAll()) document["claims"] = claimsToJson(judged);
      if (!part.isAll()) document["shard"] = shardToJson(recordOf(result, part, context.commandLine));
      return document;
    };
    const bool ofRanks = usesRanks();  // ranks share the devices: the study is not divided over them
    if (ofRanks) request_.devices = devicesAsked() ? devices_ : "all";
    std::vector<DeviceShare> shares =
        deviceShares(context.backends().all(), backend_, ofRanks ? firstDevice : devices_, shard);
    if (context.ranks) shares.front().backends = ownBackends(shares.front().backends);
    if (shares.size() == 1) {
      const StudyResult result = runShare(shares.front(), context.progress);
      if (context.ranks && !context.ranks->isFirst()) return;
      say(context, result);
      if (!csv.empty()) writeFileAtomically(csv, toCsv(result));
      context.json(json, documentOf(result, shard));
      writePage(context, result);
    } else {
      const MergedShards merged = runDeviceShares(shares, context.commandLine, context.progress,
                                                  [&](const DeviceShare& share, const Progress& progress) {
                                                    return documentOf(runShare(share, progress), share.shard);
                                                  });
      const StudyResult mergedStudy = studyFromJson(merged.document.at("study"));
      say(context, mergedStudy);
      writePage(context, mergedStudy);
      if (!csv.empty()) writeFileAtomically(csv, merged.csv);
      context.json(json, merged.document);
    }
    traced.write("Study " + request_.study, context.progress);
    traced.say(context);
    keeper.done();
  }

 private:
  // Options that say where a repeated study runs and what it writes.
  static constexpr std::string_view withReplay[] = {"--replay", "--report",  "--json",
                                                    "--csv",    "--backend", "--devices"};

  // A page can be repeated by the JSON beside it, which is written where no other is asked for.
  std::string jsonFile() const {
    if (!json_.empty() || report_.empty()) return json_;
    return std::filesystem::path(report_).replace_extension(".json").string();
  }

  bool wantsPdf() const { return std::filesystem::path(report_).extension() == ".pdf"; }

  void writePage(CommandContext& context, const StudyResult& result) const {
    writePage(context, "Study " + request_.study, {result}, nullptr);
  }

  void writePage(CommandContext& context, const std::string& title, const std::vector<StudyResult>& results,
                 const ReplayComparison* replay) const {
    if (report_.empty()) return;
    const nlohmann::json origin = provenance(context.commandLine);
    writeFileAtomically(report_, wantsPdf() ? context.hooks.drawStudyPdf(
                                                  studyPageParts(results, title, origin, replay), title)
                                            : studyPage(results, title, origin, replay));
    context.say(row("written", report_));
    if (shard_.shard().isAll()) context.say(row("written", jsonFile() + ", which study --replay repeats"));
  }

  // The record has the request.
  void repeat(CommandContext& context) const {
    for (const CLI::Option* option : app->get_options())
      if (option->count() > 0 &&
          !std::count(std::begin(withReplay), std::end(withReplay), option->get_name()))
        throw Error("Cannot repeat " + replay_,
                    option->get_name() + " is given, and the file has the request",
                    "Leave " + option->get_name() + " out");
    const StudyRecord record = readStudyRecord(replay_, context.progress);
    if (!csv_.empty() && record.results.size() > 1)
      throw Error("Cannot write " + csv_,
                  replay_ + " has " + std::to_string(record.results.size()) + " studies, and a CSV holds one",
                  "Leave --csv out: --json and --report hold all of them");
    const std::vector<Backend*> all = backendsFor(context.backends().all(), backend_, devices_);
    const std::vector<NufftBackend*> backends(all.begin(), all.end());
    const StudyReplay replay = repeatStudies(record, backends, context.progress);
    nlohmann::json repeated = nlohmann::json::array();
    for (const StudyResult& result : replay.results) {
      say(context, result);
      repeated.push_back(toJson(result));
    }
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(replay.results.front()));
    writePage(context, std::filesystem::path(replay_).filename().string() + " repeated", replay.results,
              &replay.comparison);
    sayReplay(context, replay.comparison);
    nlohmann::json document = {{"replay", toJson(replay.comparison)}};
    if (repeated.size() == 1)
      document["study"] = repeated.front();
    else
      document["studies"] = repeated;
    context.json(jsonFile(), document);
  }

  static void say(CommandContext& context, const StudyResult& result) {
    context.say(result.title + " (" + result.source + ")");
    context.say("This run: " + thisRunText(result) + ".");
    for (const StudyInfo& info : studies())
      if (info.name == result.request.study) sayComparison(context, info);
    if (const std::string load = loadText(result.load); !load.empty()) context.say("Load: " + load + ".");
    // Panel by panel; last, without one, what could not run.
    std::vector<std::string> panels;
    for (const StudyRow& r : result.rows)
      if (!r.panel.empty() && std::find(panels.begin(), panels.end(), r.panel) == panels.end())
        panels.push_back(r.panel);
    panels.emplace_back();
    for (const std::string& panel : panels) {
      if (!panel.empty()) context.say(panel + ": " + result.axes.y + " over " + result.axes.x);
      for (const StudyRow& r : result.rows)
        if (r.panel == panel) context.say(line(result.axes, r));
    }
    const std::vector<ClaimResult> judged = checkClaims(result);
    if (!judged.empty()) context.say("What the paper claims:");
    for (const ClaimResult& claim : judged)
      context.say("  " + leftAligned(std::string(claimVerdictName(claim.verdict)), 14) + claim.sentence +
                  " (" + claim.evidence + ")");
  }

  // Backends that the study has no use for. The engine refuses the other parts of a request.
  void refuseUnused() const {
    const StudyUses uses = usesOf(request_.study);
    const std::string what = "Cannot run the study \"" + request_.study + "\" with ";
    const CLI::Option* const plugins = app->get_parent()->get_option_no_throw("--plugins");
    if (!uses.plugins && plugins && plugins->count() > 0 && plugins->results().front() != "none")
      throw Error(what + "plug-ins", "none takes part in it", "Leave --plugins out");
    if (!uses.gpu && devicesAsked())
      throw Error(what + "devices", "it is about the CPU", "Leave --devices out");
  }

  bool devicesAsked() const { return app->count("--devices") > 0; }

  // The backends of this process: the ranks on one machine take its GPUs in turn.
  std::vector<Backend*> ownBackends(const std::vector<Backend*>& all) const {
    std::vector<Backend*> rankBackends;
    for (Backend* backend : all) {
      const int device = sharedDeviceOfRank(launchedRanks(), backend->deviceCount(), request_.devices);
      rankBackends.push_back(device < 0 ? backend : &backend->device(device));
    }
    return rankBackends;
  }

  static StudyUses usesOf(const std::string& name) {
    for (const StudyInfo& info : studies())
      if (info.name == name) return info.uses;
    return {};
  }

  ShardRecord recordOf(const StudyResult& result, const Shard& shard, const std::string& command) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < result.cases; ++i) names.push_back("case " + std::to_string(i + 1));
    const nlohmann::json job = {{"command", "study"},
                                {"study", request_.study},
                                {"sizes", request_.sizes},
                                {"accelerations", request_.accelerations},
                                {"accuracies", request_.accuracies},
                                {"patterns", request_.patterns},
                                {"alphas", request_.alphas},
                                {"threads", request_.threads},
                                {"ranks", request_.ranks},
                                {"crowdedSums", crowdedSums_},
                                {"trials", request_.trials},
                                {"backend", backend_}};
    return {shard, job, names, result.places, command};
  }

  static void sayComparison(CommandContext& context, const StudyInfo& info) {
    context.say("The paper: " + info.same + ".");
    context.say("Not as in the paper: " + info.differs + ".");
  }

  static void sayStudies(CommandContext& context) {
    for (const StudyInfo& info : studies()) {
      context.say(info.name + ": " + info.title + " (" + info.source + ")");
      sayComparison(context, info);
      context.say("");
    }
  }

  static std::string line(const StudyAxes& axes, const StudyRow& r) {
    if (!r.refused.empty()) return row(r.variant, r.refused);
    const bool named = !axes.categories.empty();
    const std::string x = named ? axes.categories[std::size_t(r.x)] : numberText(r.x, 5);
    std::string text = "  " + leftAligned(r.series, 30) + ' ' + rightAligned(x, 16) + ' ' +
                       rightAligned(numberText(r.y, 5), 12);
    if (r.seconds > 0)
      text += "   " + leftAligned(planText(r), 19) + ' ' + fixedText(r.seconds / millisecond, 3, 10) +
              " ms, set-up " + fixedText(r.setUpSeconds / millisecond, 3, 10) + " ms";
    return text;
  }

  StudyRequest request_;
  ShardArguments shard_;
  bool list_ = false;
  std::string crowdedSums_, backend_ = "auto", devices_ = firstDevice, csv_, json_, report_, replay_, trace_;
};

}  // namespace

std::unique_ptr<Command> makeStudyCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<StudyCommand>(parent, program);
}

}  // namespace spokelab::cli
