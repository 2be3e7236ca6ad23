// tune: the fastest plan for a scan. sweep: times over alpha and width.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/commands/traced_job.h"
#include "app/cli/keepers/sweep_keeper.h"
#include "app/cli/shard_arguments.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/record_timeline.h"
#include "engine/nufft/tune/sweep/rounds.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/shard_json.h"
#include "engine/profile/shards/device_shares.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/recon/sense/backend.h"

namespace spokelab::cli {
namespace {

constexpr double readShare = 0.1;  // of the progress bar

nlohmann::json documentOf(CommandContext& context, const char* what, const Scan& scan,
                          const ReconOptions& options, const TuneResult& result) {
  nlohmann::json document = {{"scan", toJson(scan)}, {"options", toJson(options)}, {what, toJson(result)}};
  if (const auto& plugins = context.backends().plugins(); !plugins.empty())
    document["plugins"] = pluginsToJson(plugins);
  return document;
}

void writeOutputs(CommandContext& context, const char* what, const Scan& scan, const ReconOptions& options,
                  const TuneResult& result, const std::string& json, const std::string& csv) {
  if (!csv.empty()) writeFileAtomically(csv, toCsv(result));
  context.json(json, documentOf(context, what, scan, options, result));
}

class TuneCommand final : public Command {
 public:
  TuneCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("tune", "Find the fastest plan that meets the accuracy");
    scan_.addTo(*app);
    recon_.addTo(*app);
    tune_.addTo(*app);
    app->add_flag("--estimate", estimate_,
                  "Say how many plans would be timed and how long that should take; time nothing")
        ->group("Tuning");
    addCsv(*app, csv_);
    addJson(*app, json_);
    app->add_option(
           "--timeline", timeline_,
           "Spread once more with the best plan and write which thread worked on which partition when to "
           "FILE (JSON)")
        ->type_name("FILE")
        ->group("Output");
    app->footer("Examples:\n  " + program + " tune scan.h5\n  " + program +
                " tune scan.h5 --accuracy 1e-5 --effort exhaustive --direction normal --measure-error\n  " +
                program + " tune scan.h5 --effort exhaustive --estimate\n  " + program +
                " tune demo --alpha 1.25 --json tune.json --csv tune.csv\n  " + program +
                " tune scan.h5 --direction adjoint --scheduler graph --timeline timeline.json");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    for (const std::string& file : {csv_, timeline_, json_})
      estimate_ ? files.mayWrite(file) : files.writes(file);
  }

  void run(CommandContext& context) override {
    const ReconOptions requestedOptions = recon_.options();
    const auto scan = scan_.read(context.progress.part(0, readShare / 2));
    const auto backends =
        backendsFor(context.backends().all(), requestedOptions.backend, requestedOptions.devices);
    ReconOptions options = withEchoField(*backends.front(), *scan, requestedOptions,
                                         context.progress.part(readShare / 2, readShare));
    const JobPlan job = planJob(*scan, options);
    setAccuracy(options, job.options.nufft.accuracy);
    const ScanProblem problem = scanProblem(*scan, job);
    Wisdom* wisdom = recon_.wisdom();
    const TuneRequest request = tune_.request(problem, options);
    if (estimate_) return sayEstimate(context, backends, *scan, options, job, request, wisdom);
    const TuneResult result =
        tuneScan(backends, *scan, job, request, wisdom, context.progress.part(readShare, 1));
    if (result.cancelled) throw Cancelled{};
    context.say(scan->name);
    sayCandidates(context, result);
    if (result.best >= 0) context.say(row("best", planText(result.candidates[std::size_t(result.best)])));
    context.say(row("why", result.reason + (result.fromWisdom ? " (from wisdom)" : "")));
    if (wisdom && !wisdom->warning().empty()) context.say(row("wisdom", wisdom->warning()));
    if (!timeline_.empty() && result.best >= 0 &&
        !isExact(result.candidates[std::size_t(result.best)].path.transform))
      writeTimeline(context, problem, result.candidates[std::size_t(result.best)]);
    writeOutputs(context, "tuning", *scan, options, result, json_, csv_);
  }

 private:
  void sayEstimate(CommandContext& context, const std::vector<Backend*>& backends, const Scan& scan,
                   const ReconOptions& options, const JobPlan& job, const TuneRequest& request,
                   Wisdom* wisdom) const {
    const TuneEstimate estimate = estimateTuneOfScan(backends, scan, job, request, wisdom, context.progress);
    context.say(scan.name);
    context.say(row("workload", workloadText(request.workload)));
    context.say(row("estimate", estimateText(estimate)));
    context.json(json_, {{"scan", toJson(scan)},
                         {"options", toJson(options)},
                         {"estimate",
                          {{"plans", estimate.plans},
                           {"timedEarlier", estimate.earlier},
                           {"remembered", estimate.isRemembered},
                           {"seconds", estimate.seconds}}}});
  }

  void writeTimeline(CommandContext& context, const ScanProblem& problem, const Candidate& best) const {
    const std::vector<Backend*> all = context.backends().all();
    const std::vector<NufftBackend*> known(all.begin(), all.end());
    NufftBackend& backend = *backendNamed(known, best.backend);
    const Timeline timeline =
        recordTimeline(backend, problem.problem, problem.points, best.options, context.progress.part(1, 1));
    writeFileAtomically(timeline_, timelineToJson(timeline));
    context.say(row("time line", timelineText(timeline)));
  }

  ScanArguments scan_;
  ReconArguments recon_;
  TuneArguments tune_;
  std::string json_, csv_, timeline_;
  bool estimate_ = false;
};

class SweepCommand final : public Command {
 public:
  SweepCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("sweep", "Time the transform over oversampling ratio and kernel width");
    scan_.addTo(*app);
    sweep_.addTo(*app);
    recon_.addTo(*app);
    tune_.addTo(*app);
    app->add_flag("--whole-widths", wholeWidths_,
                  "Time whole widths around the smallest ones as well, at every oversampling ratio")
        ->group("Sweep");
    app->add_flag("--estimate", estimate_,
                  "Say how many plans that are and how long it should take; time nothing")
        ->group("Sweep");
    shard_.addTo(*app);
    addCsv(*app, csv_);
    addJson(*app, json_);
    addTrace(*app, trace_, "when which plan was timed, and the stages of its transforms");
    app->footer("Examples:\n  " + program + " sweep scan.h5 --csv sweep.csv\n  " + program +
                " sweep scan.h5 --alphas 1.25:2:0.125 --widths 3:7:1 --trials 9 --estimate\n  " + program +
                " sweep demo --alphas 1.25,1.5,2 --widths 3,4,5,6 --measure-error --json sweep.json\n  " +
                program + " sweep scan.h5 --over kernels,implementations --csv sweep.csv\n  " + program +
                " sweep scan.h5 --method sense --measure-error --json sweep.json\n  " + program +
                " sweep scan.h5 --method sense --over none --csv gridded.csv\n  " + program +
                " sweep scan.h5 --json sweep.json --trace trace.json");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    shard_.declare(files);
    if (shard_.wantsScript()) return;
    for (const std::string& file : {shard_.file(csv_), shard_.file(json_)}) {
      estimate_ ? files.mayWrite(file) : files.writes(file);
      files.mayWrite(SweepKeeper::partialOf(file));
    }
    files.mayWrite(shard_.file(trace_));
  }

  void run(CommandContext& context) override {
    if (shard_.wantsScript()) return shard_.writeScript(context, {json_});
    const ReconOptions requestedOptions = recon_.options();
    TracedJob traced(estimate_ ? std::string() : shard_.file(trace_));
    const double start = now();
    const auto scan = scan_.read(context.progress.part(0, readShare / 2));
    tellSpan("read", SpanKind::job, start, now());
    const std::vector<DeviceShare> shares = deviceShares(context.backends().all(), requestedOptions.backend,
                                                         requestedOptions.devices, shard_.shard());
    const ReconOptions options = withEchoField(*shares.front().backends.front(), *scan, requestedOptions,
                                               context.progress.part(readShare / 2, readShare));
    const ScanProblem problem = scanProblem(*scan, options);
    const TuneRequest request = tune_.request(problem, options);
    SweepPolicy policy = sweep_.policy(request);
    policy.wholeWidths = wholeWidths_;
    if (estimate_) {
      std::vector<std::string> cases;
      policy.select = selectionOf(shares.front().shard, cases);
      return sayEstimate(context, shares.front().backends, *scan, options, request, policy);
    }
    const std::string csv = shard_.file(csv_), json = shard_.file(json_);
    SweepKeeper keeper;
    keeper.keepBeside(csv, [](const TuneResult& measured) { return toCsv(measured); });
    keeper.keepBeside(json, [&](const TuneResult& measured) {
      return documentOf(context, "sweep", *scan, options, measured)
          .dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    });
    const auto runShare = [&](const DeviceShare& share, const Progress& progress, TuneResult& result) {
      std::vector<std::string> cases;
      SweepPolicy sharePolicy = policy;
      sharePolicy.select = selectionOf(share.shard, cases);
      result = sweepOfScan(share.backends, *scan, options, request, sharePolicy, progress,
                           [&keeper](const Candidate& candidate) { keeper.seen(candidate); });
      nlohmann::json document = documentOf(context, "sweep", *scan, options, result);
      if (share.shard.isAll()) return document;
      const nlohmann::json job = {{"command", "sweep"},
                                  {"scan", scan->fingerprint},
                                  {"options", toJson(options)},
                                  {"accuracy", request.options.accuracy},
                                  {"measureError", request.measureError}};
      document["shard"] = shardToJson({share.shard, job, cases, {}, context.commandLine});
      return document;
    };
    const Progress sweeping = context.progress.part(readShare, 1);
    TuneResult result;
    nlohmann::json document;
    if (shares.size() == 1) {
      document = runShare(shares.front(), sweeping, result);
    } else {
      document = runDeviceShares(shares, context.commandLine, sweeping,
                                 [&](const DeviceShare& share, const Progress& progress) {
                                   TuneResult shareResult;
                                   return runShare(share, progress, shareResult);
                                 })
                     .document;
      result = tuneResultFromJson(document.at("sweep"));
    }
    traced.write("Sweep " + scan->name, context.progress);
    context.say(scan->name);
    sayCandidates(context, result);
    context.say(row("why", result.reason));
    if (const std::string load = loadText(result.load); !load.empty()) context.say(row("load", load));
    if (shares.size() > 1)
      context.say(row("devices", countText(std::int64_t(shares.size()), "GPU") + " shared the plans"));
    if (!csv.empty()) writeFileAtomically(csv, toCsv(result));
    context.json(json, document);
    traced.say(context);
    keeper.done();
  }

 private:
  // Leaves the plans of a share; `cases` gets the names of all.
  static std::function<void(std::vector<RoundEntry>&)> selectionOf(const Shard& shard,
                                                                   std::vector<std::string>& cases) {
    return [shard, &cases](std::vector<RoundEntry>& entries) {
      cases = caseNames(entries);
      std::size_t i = 0;
      std::erase_if(entries, [&](const RoundEntry&) { return !shard.owns(i++); });
    };
  }

  // One for each plan, in their order: all that makes two plans differ.
  static std::vector<std::string> caseNames(const std::vector<RoundEntry>& entries) {
    std::vector<std::string> names;
    for (const RoundEntry& entry : entries) {
      const NufftOptions& o = entry.candidate.options;
      names.push_back(describe(entry.candidate) + " (" + exactNumberText(o.alpha) + ", " +
                      exactNumberText(o.width) + ", " + std::string(kernelName(o.kernel)) + ')');
    }
    return names;
  }

  ScanArguments scan_;
  ReconArguments recon_;
  TuneArguments tune_;
  SweepArguments sweep_;
  ShardArguments shard_;
  void sayEstimate(CommandContext& context, const std::vector<Backend*>& backends, const Scan& scan,
                   const ReconOptions& options, const TuneRequest& request, const SweepPolicy& policy) const {
    const auto estimate = estimateSweepOfScan(backends, scan, options, request, policy, context.progress);
    context.say(scan.name);
    context.say(row("estimate", estimate ? estimateText(*estimate) : "not known for ways through a field"));
    nlohmann::json document = {{"scan", toJson(scan)}, {"options", toJson(options)}};
    if (estimate) document["estimate"] = {{"plans", estimate->plans}, {"seconds", estimate->seconds}};
    context.json(json_, document);
  }

  std::string json_, csv_, trace_;
  bool wholeWidths_ = false, estimate_ = false;
};

}  // namespace

std::unique_ptr<Command> makeTuneCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<TuneCommand>(parent, program);
}

std::unique_ptr<Command> makeSweepCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<SweepCommand>(parent, program);
}

}  // namespace spokelab::cli
