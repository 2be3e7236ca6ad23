// field: the field map (and R2*) from the echoes of a scan, or from images of echoes.
#include <numbers>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

class EchoFieldCommand final : public Command {
 public:
  EchoFieldCommand(CLI::App& parent, const std::string& program) {
    app =
        parent.add_subcommand("field", "Find the field map from the echoes of a scan, or from their images");
    scan_.addTo(*app, ScanArguments::Needed::no);
    app->add_option(
           "--images", images_,
           "Images of the echoes in place of a scan: complex ones, or phases in rad or from -4096 to 4096")
        ->type_name("FILE ...");
    app->add_option("--magnitude", magnitude_, "With phases: the magnitude, which tells the object from air")
        ->type_name("FILE");
    app->add_option("-o,--output", field_, "Write the field map, in the unit that --field-unit names")
        ->type_name("FILE")
        ->group("Output");
    app->add_option(
           "--deviation", deviation_,
           "Write how sure the map is: the standard deviation of a pixel before smoothing, same unit")
        ->type_name("FILE")
        ->group("Output");
    app->add_option("--decay", decay_, "Write R2* in 1/s")->type_name("FILE")->group("Output");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer(
        "Examples:\n  " + program + " field echoes.h5 -o field.nii.gz --decay r2s.nii.gz\n  " + program +
        " field --images phase1.nii phase2.nii --magnitude mag.nii --echo-times 4.92,7.38 -o field.nii");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    for (const std::string& image : images_) declareInput(files, image);
    declareInput(files, magnitude_);
    for (const std::string& image : {field_, deviation_, decay_})
      for (const std::filesystem::path& file : filesOfImage(image)) files.writes(file);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double fieldShare = 0.95;
    const ReconOptions options = recon_.options();
    const ScanField found = find(context, options, context.progress.part(0, fieldShare));
    const bool hertz = options.iterative.fieldUnit == FieldUnit::hertz;
    for (const std::string& note : found.notes) context.say(row("", note));
    nlohmann::json files = nlohmann::json::object();
    const auto write = [&](const char* name, const Image& image, const std::string& file, double scale) {
      if (file.empty()) return;
      Image scaled = image;
      for (cfloat& v : scaled.data) v *= float(scale);
      WriteOptions real;
      real.part = ComplexPart::real;
      writeImage(scaled, file, real, context.progress.part(fieldShare, 1));
      context.say(row("written", file));
      files[name] = file;
    };
    const double unit = hertz ? 1 / (2 * std::numbers::pi) : 1;
    write("field", *found.field, field_, unit);
    write("deviation", *found.deviation, deviation_, unit);
    write("decay", *found.decay, decay_, 1);
    if (!field_.empty())
      context.say(row("use", "reconstruct with --method sense --field-map " + shellWord(field_) +
                                 (hertz ? " --field-unit Hz" : "")));
    context.json(json_, {{"field",
                          {{"echoTimes", found.times},
                           {"unit", hertz ? "Hz" : "rad/s"},
                           {"notes", found.notes},
                           {"files", files}}}});
  }

 private:
  ScanField find(CommandContext& context, const ReconOptions& options, const Progress& progress) const {
    constexpr double readShare = 0.1;
    const std::string problem = "Cannot find the field";
    if (images_.empty() == scan_.file().empty())
      throw Error(problem,
                  images_.empty() ? "neither a scan nor images are given" : "a scan and images are given",
                  "Give a scan, or with --images its echoes' images");
    if (images_.empty()) {
      if (!magnitude_.empty())
        throw Error(problem, "--magnitude belongs to --images", "Leave it out: the scan has its magnitudes");
      const auto scan = scan_.read(progress.part(0, readShare));
      Backend& backend = *backendsFor(context.backends().all(), options.backend, options.devices).front();
      context.say(scan->name);
      return fieldFromEchoes(backend, *scan, options, progress.part(readShare, 1));
    }
    return fieldFromFiles({images_, magnitude_}, options, progress);
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::vector<std::string> images_;
  std::string magnitude_, field_, deviation_, decay_, json_;
};

}  // namespace

std::unique_ptr<Command> makeEchoFieldCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<EchoFieldCommand>(parent, program);
}

}  // namespace spokelab::cli
