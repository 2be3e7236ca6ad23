// forward: image in, samples out: what a scan of the image would have measured on a trajectory.
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/forward_image.h"
#include "engine/scan/formats/acquisitions/write_samples.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/read_points.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab::cli {
namespace {

class ForwardCommand final : public Command {
 public:
  ForwardCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("forward", "Compute the samples of an image on a trajectory");
    app->add_option("IMAGE", image_, "NIfTI, NumPy or BART file")->required();
    scan_.addTo(*app, ScanArguments::Needed::yes, "--trajectory");
    app->get_option("--trajectory")
        ->description(
            "The scan whose trajectory is taken, or the points alone: .npy [shot, sample, dim] or .cfl, "
            "in cycles/FOV unless --set k-unit= says cycles/pixel or radians/pixel")
        ->type_name("FILE");
    app->add_option("-o,--output", output_,
                    "The samples to write: .npy [coil, shot, sample], .cfl or .h5 (ISMRMRD)")
        ->type_name("FILE")
        ->required()
        ->group("Output");
    app->add_option("--coil-maps", maps_, "Coil sensitivities, a frame each (NIfTI, NumPy or BART file)")
        ->type_name("FILE");
    recon_.addTo(*app, ReconArguments::Which::transform);
    addJson(*app, json_);
    app->footer(
        "y_j = sum over the pixels n of f_n e^{-2 pi i n.k_j}, n from -floor(N/2), k in cycles/pixel; "
        "not scaled.\nExamples:\n  " +
        program + " forward image.npy --trajectory scan.h5 -o samples.npy\n  " + program +
        " forward image.npy --trajectory points.npy -o y.npy --precision double --accuracy 1e-12\n  " +
        program + " forward image.npy --trajectory points.npy -o y.npy --exact");
  }

  void declare(JobFiles& files) const override {
    requireSamplesFormat(output_);
    scan_.declare(files);
    recon_.declare(files);
    for (const std::string& image : {image_, maps_}) declareInput(files, image);
    files.writes(output_, OutputKind::rawData);
    if (std::filesystem::path(output_).extension() == ".cfl")
      files.writes(std::filesystem::path(output_).replace_extension(".hdr"), OutputKind::rawData);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.2, writeShare = 0.9;
    const Image image = readImage(image_, context.progress.part(0, readShare / 2));
    std::optional<Image> maps;
    if (!maps_.empty()) maps = readImage(maps_, context.progress.part(readShare / 2, readShare / 2));
    const auto pattern = readPattern(image, context.progress.part(readShare / 2, readShare));
    const ReconOptions options = recon_.options();
    const ForwardResult result =
        forwardImage(context.backends().all(), image, *pattern, maps ? &*maps : nullptr, options,
                     recon_.wisdom(), context.progress.part(readShare, writeShare));
    const Scan& scan = *result.scan;
    writeSamples(scan, output_, context.progress.part(writeShare, 1));
    context.say(scan.name);
    context.say(row("samples", std::to_string(scan.trajectory(0).samples()) + ", " +
                                   countText(scan.coils, "coil") + ", " + countText(scan.slices, "slice") +
                                   ", " + countText(scan.frames, "frame")));
    context.say(row("plan", result.plan.description));
    if (!options.exact)
      context.say(row("error", numberText(result.plan.error.relativeL2, 2) + " predicted, " +
                                   numberText(options.nufft.accuracy, 2) + " asked for"));
    context.say(row("time", secondsText(result.seconds)));
    const std::string lost = precisionLost(scan, output_);
    if (!lost.empty()) context.say(row("warning", lost));
    context.say(row("written", output_));
    nlohmann::json document = {{"output", output_},
                               {"scan", toJson(scan)},
                               {"options", toJson(options)},
                               {"plan", result.plan.description},
                               {"predictedError", result.plan.error.relativeL2},
                               {"seconds", result.seconds}};
    if (result.tuning) document["tuning"] = toJson(*result.tuning);
    context.json(json_, document);
  }

 private:
  std::shared_ptr<const Scan> readPattern(const Image& image, const Progress& progress) const {
    if (isBuiltIn(scan_.file()) || !isArrayKind(fileKind(scan_.file()))) return scan_.read(progress);
    const ReadOptions reading = scan_.options();
    const auto unit = reading.overrides.find("k-unit");
    return readPoints(scan_.file(), unit == reading.overrides.end() ? "" : unit->second, image.size,
                      progress);
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::string image_, output_, maps_, json_;
};

}  // namespace

std::unique_ptr<Command> makeForwardCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ForwardCommand>(parent, program);
}

}  // namespace spokelab::cli
