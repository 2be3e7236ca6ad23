// report: a folder with all there is to know about a reconstruction: numbers as JSON and CSV, the image,
// the command line that repeats it, and charts where the program can draw them.
#include "app/cli/command.h"
#include "app/cli/image_output.h"
#include "app/cli/staged_folder.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/profile/results.h"
#include "engine/recon/gridding.h"
#include "engine/scan/write_image.h"

namespace spokelab::cli {
namespace {

// Shares of the progress bar.
constexpr double readDone = 0.1, reconstructDone = 0.35, sweepDone = 0.9;

class ReportCommand final : public Command {
 public:
  ReportCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("report", "Reconstruct, sweep, and write a folder with the results");
    scan_.addTo(*app);
    app->add_option("-o,--output", folder_, "Folder to write to")
        ->type_name("DIR")
        ->required()
        ->group("Output");
    sweep_.addTo(*app);
    recon_.addTo(*app);
    tune_.addTo(*app);
    addJson(*app, json_);
    app->footer(
        "Writes report.json, sweep.csv, tuning.csv, image.nii.gz, image.png and command.txt; the program "
        "with\n"
        "the window ('spokelab report') adds the charts as SVG.\nExamples:\n  " +
        program + " report scan.h5 -o report\n  " + program +
        " report demo -o report --alphas 1.25,1.5,2 --widths 3,4,5 --measure-error");
  }

  void run(CommandContext& context) override {
    StagedFolder folder(folder_);
    const ReconOptions options = recon_.options();
    ReportData data;
    data.commandLine = context.commandLine;
    const Progress& progress = context.progress;
    data.scan = scan_.read(progress.part(0, readDone));
    const std::vector<Backend*> backends = backendsFor(context.backends().all(), options.backend);
    Wisdom* wisdom = recon_.wisdom();
    data.reconstruction =
        reconstruct(backends, *data.scan, options, wisdom, progress.part(readDone, reconstructDone));
    if (data.reconstruction.cancelled || !data.reconstruction.image) throw Cancelled{};
    const ScanProblem problem = scanProblem(*data.scan, options);
    const std::vector<NufftBackend*> timed(backends.begin(), backends.end());
    data.sweep = sweep(timed, sweep_.request(tune_.request(problem, options)),
                       progress.part(reconstructDone, sweepDone));
    if (data.sweep.cancelled) throw Cancelled{};
    write(context, data, folder.path(), progress.part(sweepDone, 1));
    folder.commit();

    sayReconstruction(context, data.reconstruction);
    sayCandidates(context, data.sweep);
    context.say(row("written", folder_));
    if (!context.hooks.drawCharts)
      context.say(row("charts", "none: this program draws none, 'spokelab report' does"));
    else
      context.say(row("charts", joined(data.charts, ", ")));
  }

 private:
  void write(CommandContext& context, ReportData& data, const std::filesystem::path& folder,
             const Progress& progress) const {
    constexpr double chartsDone = 0.5, imageDone = 0.9;
    if (context.hooks.drawCharts)
      data.charts = context.hooks.drawCharts(data, folder, progress.part(0, chartsDone));
    const Image& image = *data.reconstruction.image;
    writeImage(image, folder / "image.nii.gz", {}, progress.part(chartsDone, imageDone));
    writeImage(image, folder / "image.png", {}, progress.part(imageDone, 1));
    writeFileAtomically(folder / "sweep.csv", toCsv(data.sweep));
    if (data.reconstruction.tuning)
      writeFileAtomically(folder / "tuning.csv", toCsv(*data.reconstruction.tuning));
    writeFileAtomically(folder / "command.txt", data.commandLine + '\n');
    const nlohmann::json document = {{"scan", toJson(*data.scan)},
                                     {"reconstruction", toJson(data.reconstruction)},
                                     {"sweep", toJson(data.sweep)},
                                     {"charts", data.charts}};
    context.json((folder / "report.json").string(), document);
    context.json(json_, document);
  }

  static constexpr std::size_t defaultAlphas = 5;
  ScanArguments scan_;
  ReconArguments recon_;
  TuneArguments tune_;
  SweepArguments sweep_{defaultAlphas, {3, 4, 5, 6, 8}};
  std::string folder_, json_;
};

}  // namespace

std::unique_ptr<Command> makeReportCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ReportCommand>(parent, program);
}

}  // namespace spokelab::cli
