// off-resonance: the exact field correction of a scan beside its approximations, measured.
#include <algorithm>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/field_bench.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

constexpr const char *imageSuffix = "", *differenceSuffix = "-difference";

// "segmented svd" -> folder/segmented-svd.nii.gz
std::filesystem::path fileFor(const std::filesystem::path& folder, const std::string& name,
                              const std::string& suffix) {
  std::string file = name;
  std::replace(file.begin(), file.end(), ' ', '-');
  return folder / (file + suffix + ".nii.gz");
}

std::string line(const FieldBenchRow& r) {
  const std::string name = "  " + leftAligned(r.name, 19) + ' ';
  if (!r.refused.empty()) return name + r.refused;
  std::string text = name + rightAligned(std::to_string(r.segments), 8) + "  " +
                     rightAligned(numberText(r.transformError, 2), 9) + "  " +
                     rightAligned(numberText(r.imageError, 2), 9) + "  " +
                     rightAligned(secondsText(r.normalSeconds), 12) + "  " +
                     rightAligned(secondsText(r.iterationSeconds), 10);
  if (r.referenceError >= 0) text += "  " + numberText(r.referenceError, 3);
  return text;
}

nlohmann::json asJson(const FieldBenchRow& r) {
  if (!r.refused.empty()) return {{"name", r.name}, {"refused", r.refused}};
  nlohmann::json j = {{"name", r.name},
                      {"transform", r.transform},
                      {"segments", r.segments},
                      {"transformError", r.transformError},
                      {"imageError", r.imageError},
                      {"normalSeconds", r.normalSeconds},
                      {"planningSeconds", r.planningSeconds},
                      {"iterationSeconds", r.iterationSeconds},
                      {"iterations", r.iterations},
                      {"notes", r.notes}};
  if (r.referenceError >= 0) j["referenceNrmse"] = r.referenceError;
  return j;
}

class FieldCommand final : public Command {
 public:
  FieldCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("off-resonance", "Compare exact field correction with its approximations");
    scan_.addTo(*app);
    app->add_option("-o,--output", folder_, "Write each image and its difference to the exact one here")
        ->type_name("FOLDER")
        ->group("Output");
    app->add_option("--reference", reference_, "Image that each is compared with, too (NRMSE)")
        ->type_name("FILE")
        ->group("Output");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " off-resonance spiral.h5 --field-map field.nii.gz\n  " +
                program +
                " off-resonance spiral.h5 --field-map fm.npy --field-unit Hz --accuracy 1e-4 -o compared");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    declareInput(files, reference_);
    for (const std::string& name : fieldBenchNames())
      for (const char* suffix : {imageSuffix, differenceSuffix})
        files.writesInto(folder_, fileFor({}, name, suffix));
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.1, benchShare = 0.95;
    ReconOptions options = recon_.options();
    std::optional<Image> reference;
    if (!reference_.empty()) reference = readImage(reference_, context.progress.part(0, 0));
    const auto scan = scan_.read(context.progress.part(0, readShare));
    Backend& backend = *backendsFor(context.backends().all(), options.backend, options.devices).front();
    const FieldBenchResult result =
        benchFieldCorrection(backend, *scan, options, reference ? &*reference : nullptr,
                             context.progress.part(readShare, benchShare));
    context.say(scan->name);
    for (const std::string& note : result.notes) context.say(row("", note));
    context.say(
        std::string("  transform           segments  error of   error of    normal       iterations") +
        (reference ? "  NRMSE" : ""));
    context.say("                                transform  image       a coil");
    nlohmann::json rows = nlohmann::json::array();
    for (const FieldBenchRow& r : result.rows) {
      context.say(line(r));
      rows.push_back(asJson(r));
    }
    if (!folder_.empty()) write(result, context.progress.part(benchShare, 1));
    context.json(json_, {{"scan", toJson(*scan)}, {"notes", result.notes}, {"offResonance", rows}});
  }

 private:
  void write(const FieldBenchResult& result, const Progress& progress) const {
    std::error_code code;
    std::filesystem::create_directories(folder_, code);
    if (code) throw Error("Cannot write " + folder_, code.message(), "Choose another folder");
    for (const FieldBenchRow& r : result.rows) {
      if (!r.image) continue;
      writeImage(*r.image, fileFor(folder_, r.name, imageSuffix), {}, progress);
      if (&r != &result.rows.front())
        writeImage(*r.difference, fileFor(folder_, r.name, differenceSuffix), {}, progress);
    }
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::string folder_, reference_, json_;
};

}  // namespace

std::unique_ptr<Command> makeFieldCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<FieldCommand>(parent, program);
}

}  // namespace spokelab::cli
