// noise: the noise, SNR and g-factor of each pixel, by pseudo-replicas.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/noise_maps.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

constexpr const char *imageFile = "image.nii.gz", *noiseFile = "noise.nii.gz", *snrFile = "snr.nii.gz",
                     *gFactorFile = "g-factor.nii.gz";

class NoiseCommand final : public Command {
 public:
  NoiseCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("noise", "Map noise, SNR and g-factor of a reconstruction");
    scan_.addTo(*app);
    app->add_option("-o,--output", folder_, "Write image, noise, SNR and g-factor here, as NIfTI")
        ->type_name("FOLDER")
        ->group("Output");
    app->add_option("--replicas", noise_.replicas,
                    "Noisy images whose spread is taken; 100 tell the noise of a pixel to 7 %")
        ->check(CLI::Range(2, 10000))
        ->group("Noise");
    app->add_option("--sigma", noise_.sigma,
                    "Standard deviation of a sample's real and imaginary part, in place of the noise lines")
        ->check(CLI::PositiveNumber)
        ->group("Noise");
    app->add_option("--noise-seed", noise_.seed, "Seed of the noise that is drawn")->group("Noise");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " noise scan.h5 -o noise --method sense\n  " + program +
                " noise demo --replicas 30 --json noise.json");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    for (const char* name : {imageFile, noiseFile, snrFile, gFactorFile}) files.writesInto(folder_, name);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.1, mapShare = 0.95;
    const ReconOptions options = recon_.options();
    const auto scan = scan_.read(context.progress.part(0, readShare));
    Wisdom* const wisdom = recon_.wisdom();
    const std::vector<Backend*>& backends = context.backends().all();
    const NoiseMaps maps = noiseMaps(
        *scan, options, noise_,
        [&](const Scan& replicas, const ReconOptions& o, const Progress& progress) {
          return reconstruct(backends, replicas, o, wisdom, progress);
        },
        context.progress.part(readShare, mapShare));
    if (maps.cancelled) throw Cancelled{};
    context.say(scan->name);
    context.say(row("replicas", std::to_string(maps.replicas) + ", the noise of a pixel to " +
                                    numberText(100 * maps.relativeError, 2) + " %"));
    context.say(row("SNR", numberText(maps.medianSnr, 3) + " (median where the image is bright)"));
    context.say(row("g-factor", numberText(maps.medianG, 3) + " (median there)"));
    nlohmann::json files = nlohmann::json::object();
    if (!folder_.empty()) writeMaps(context, maps, files, context.progress.part(mapShare, 1));
    context.json(json_, {{"scan", toJson(*scan)},
                         {"options", toJson(options)},
                         {"noise",
                          {{"replicas", maps.replicas},
                           {"relativeError", maps.relativeError},
                           {"medianSnr", maps.medianSnr},
                           {"medianG", maps.medianG},
                           {"notes", maps.notes},
                           {"files", files}}}});
  }

 private:
  void writeMaps(CommandContext& context, const NoiseMaps& maps, nlohmann::json& files,
                 const Progress& progress) const {
    std::error_code code;
    std::filesystem::create_directories(folder_, code);
    if (code) throw Error("Cannot write " + folder_, code.message(), "Choose another folder");
    const auto write = [&](const char* name, const Image& image, ComplexPart part) {
      WriteOptions writeOptions;
      writeOptions.part = part;
      const auto file = std::filesystem::path(folder_) / name;
      writeImage(image, file, writeOptions, progress);
      context.say(row("written", file.string()));
      files[name] = file.string();
    };
    write(imageFile, *maps.image, ComplexPart::complex);
    write(noiseFile, *maps.noise, ComplexPart::real);
    write(snrFile, *maps.snr, ComplexPart::real);
    write(gFactorFile, *maps.gFactor, ComplexPart::real);
  }

  ScanArguments scan_;
  ReconArguments recon_;
  NoiseMapOptions noise_;
  std::string folder_, json_;
};

}  // namespace

std::unique_ptr<Command> makeNoiseCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<NoiseCommand>(parent, program);
}

}  // namespace spokelab::cli
