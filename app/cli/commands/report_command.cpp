// report: a folder with all there is to know about a reconstruction
// (engine/profile/report/report.h), or an earlier one repeated.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/image_output.h"
#include "app/cli/replay_output.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/error.h"
#include "engine/core/staged_folder.h"
#include "engine/core/text.h"
#include "engine/profile/report/replay.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/scan_problem.h"

namespace spokelab::cli {
namespace {

// Shares of the progress bar.
constexpr double scanDone = 0.1, reconstructDone = 0.35, noiseDone = 0.5, timingDone = 0.9;

class ReportCommand final : public Command {
 public:
  ReportCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("report", "Reconstruct, sweep, and write a folder with the results");
    scan_.addTo(*app, ScanArguments::Needed::no);
    app->add_option("-o,--output", folder_, "Folder to write to")
        ->type_name("DIR")
        ->required()
        ->group("Output");
    app->add_option("--replay", replay_,
                    "Repeat the report whose report.json this is, and say what differs. FILE: where its scan "
                    "lies here")
        ->type_name("REPORT.JSON")
        ->group("Replay");
    sweep_.addTo(*app);
    CLI::Option* const maps = app->add_option(
        "--noise-maps", replicas_,
        "Add maps of noise, SNR and g-factor, by this number of pseudo-replicas (100 tell the noise "
        "of a pixel to 7 %)");
    maps->check(CLI::Range(2, 10000))->type_name("REPLICAS")->group("Noise");
    app->add_option("--sigma", sigma_,
                    "Standard deviation of a sample's real and imaginary part, in place of the noise lines")
        ->check(CLI::PositiveNumber)
        ->needs(maps)
        ->group("Noise");
    recon_.addTo(*app);
    tune_.addTo(*app);
    addJson(*app, json_);
    app->footer(
        "Writes report.html (everything in one page), report.json, sweep.csv, tuning.csv, image.nii.gz,\n"
        "image.png and command.txt; the program with the window ('spokelab report') adds the charts as SVG "
        "and report.pdf.\n"
        "A replay takes scan, options and plans from the report; it ends with code 1 where an error or the\n"
        "image came out otherwise. Times may differ.\nExamples:\n  " +
        program + " report scan.h5 -o report\n  " + program +
        " report demo -o report --alphas 1.25,1.5,2 --widths 3,4,5 --measure-error\n  " + program +
        " report scan.h5 -o report --noise-maps 100\n  " + program +
        " report --replay report/report.json -o again");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    files.reads(replay_);
    for (const std::string& name : reportFileNames()) files.writesInto(folder_, name);
    files.writesInto({folder_, "", ".svg"});
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    { const StagedFolder writable(folder_); }  // refuses at once, not after a long computation
    Report report = replay_.empty() ? make(context) : repeated(context);
    report.commandLine = context.commandLine;
    if (context.hooks.drawCharts && !report.sweep.candidates.empty()) {
      context.progress.report(timingDone, "drawing charts");
      report.charts = context.hooks.drawCharts(report.sweep, report.result->options.nufft.accuracy);
    }
    report.drawPdf = context.hooks.drawPdf;
    writeReport(report, folder_, context.progress.part(timingDone, 1));
    context.json(json_, toJson(report));

    sayReconstruction(context, *report.result);
    sayCandidates(context, report.sweep);
    context.say(row("written", folder_));
    if (!context.hooks.drawCharts) {
      context.say(row("charts", "none: this program draws none, 'spokelab report' does"));
    } else {
      std::vector<std::string> names;
      for (const ReportFile& chart : report.charts) names.push_back(chart.name);
      context.say(row("charts", joined(names, ", ")));
    }
    if (report.replay) sayReplay(context, *report.replay);
  }

 private:
  Report make(CommandContext& context) {
    if (scan_.file().empty())
      throw Error("Cannot report", "no scan is named", "Name a FILE, or a report to repeat with --replay");
    const ReconOptions options = recon_.options();
    const Progress& progress = context.progress;
    Report report;
    report.reading = scan_.options();
    report.scan = scan_.read(progress.part(0, scanDone));
    const std::vector<Backend*> backends =
        backendsFor(context.backends().all(), options.backend, options.devices);
    auto result = std::make_shared<Reconstruction>(reconstruct(
        backends, *report.scan, options, recon_.wisdom(), progress.part(scanDone, reconstructDone)));
    if (result->cancelled || !result->image) throw Cancelled{};
    report.result = std::move(result);
    if (replicas_ > 0) report.noise = noiseOf(*report.scan, options, backends, progress);
    const ScanProblem problem = scanProblem(*report.scan, options);
    const TuneRequest request = tune_.request(problem, options);
    report.sweep = sweepOfScan(backends, *report.scan, options, request, sweep_.policy(request),
                               progress.part(replicas_ > 0 ? noiseDone : reconstructDone, timingDone));
    return report;
  }

  std::shared_ptr<const NoiseMaps> noiseOf(const Scan& scan, const ReconOptions& options,
                                           const std::vector<Backend*>& backends, const Progress& progress) {
    NoiseMapOptions noise;
    noise.replicas = replicas_;
    noise.sigma = sigma_;
    auto maps = std::make_shared<NoiseMaps>(noiseMaps(
        scan, options, noise,
        [&](const Scan& replicas, const ReconOptions& o, const Progress& part) {
          return reconstruct(backends, replicas, o, recon_.wisdom(), part);
        },
        progress.part(reconstructDone, noiseDone)));
    if (maps->cancelled) throw Cancelled{};
    return maps;
  }

  Report repeated(CommandContext& context) {
    const Replay replay = readReplay(replay_, context.progress);
    const std::string file = scan_.file().empty() ? replay.scan : scan_.file();
    if (replay.simulation.empty() || !scan_.file().empty()) declareScan(context.files, file);
    declareMaps(context.files, replay.options);
    const auto scan = scanOf(replay, file, context.progress.part(0, scanDone));
    return repeat(replay, scan, context.backends().all(), context.progress.part(scanDone, timingDone));
  }

  static constexpr std::size_t defaultAlphas = 5;
  ScanArguments scan_;
  ReconArguments recon_;
  TuneArguments tune_;
  SweepArguments sweep_{defaultAlphas, "3,4,5,6,8"};
  std::string folder_, replay_, json_;
  int replicas_ = 0;  // of noise maps; 0: none
  double sigma_ = 0;  // 0: by the scan's noise lines
};

}  // namespace

std::unique_ptr<Command> makeReportCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ReportCommand>(parent, program);
}

}  // namespace spokelab::cli
