// density: the density weights of a scan by several methods, with their point spread functions.
#include <algorithm>
#include <cmath>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/density_comparison.h"
#include "engine/recon/explore/point_spread.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

const std::vector<std::string>& methodNames() {
  static const std::vector<std::string> all = {"file", "analytic", "pipe-menon", "voronoi", "none", "auto"};
  return all;
}

DensityMethod methodFromName(const std::string& name) {
  ReconOptions options;
  setOption(options, "density", name);
  return options.density;
}

// "pipe-menon" put before the extension: psf.png -> psf-pipe-menon.png.
std::string fileFor(const std::string& file, DensityMethod method) {
  const std::size_t name = file.find_last_of('/') == std::string::npos ? 0 : file.find_last_of('/') + 1;
  const std::size_t dot = std::min(file.find('.', name), file.size());
  return file.substr(0, dot) + '-' + std::string(densityName(method)) + file.substr(dot);
}

class DensityCommand final : public Command {
 public:
  DensityCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("density", "Compare density weights and their point spread functions");
    scan_.addTo(*app);
    app->add_option("--methods", methods_,
                    "Methods to compare, the first with the others; all: those there are")
        ->delimiter(',')
        ->type_name("LIST")
        ->check(CLI::IsMember(methodNames()).description(""))
        ->group("Density");
    app->add_option(
           "--psf", psf_,
           "Write each point spread function, the method added to the name; .png: 80 dB, the others: values "
           "relative to the peak")
        ->type_name("FILE")
        ->group("Output");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " density scan.h5\n  " + program +
                " density demo --methods analytic,pipe-menon --psf psf.png");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    if (!psf_.empty())
      for (const std::string& name : methods_.empty() ? methodNames() : methods_)
        for (const std::filesystem::path& file : filesOfImage(fileFor(psf_, methodFromName(name))))
          files.mayWrite(file);  // a method may be refused
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    const ReconOptions options = recon_.options();
    constexpr double readShare = 0.1, compareShare = 0.9;
    const auto scan = scan_.read(context.progress.part(0, readShare));
    std::vector<DensityMethod> methods;
    for (const std::string& name : methods_) methods.push_back(methodFromName(name));
    Backend& backend = *backendsFor(context.backends().all(), options.backend, options.devices).front();
    const auto trials =
        compareDensity(*scan, options, methods, backend, context.progress.part(readShare, compareShare));
    context.say(scan->name);
    nlohmann::json list = nlohmann::json::array();
    const DensityTrial* first = nullptr;
    for (const DensityTrial& trial : trials) {
      const std::string name(densityName(trial.method));
      if (!trial.refused.empty()) {
        context.say(row(name, "not possible: " + trial.refused));
        list.push_back({{"method", name}, {"refused", trial.refused}});
        continue;
      }
      context.say(row(name, trial.weights.origin + ", " + secondsText(trial.seconds)));
      context.say(row("", describe(trial.spread, scan->dims())));
      if (first)
        context.say(row("", "differs from " + std::string(densityName(first->method)) + " by " +
                                percent(trial.agreement.rms) + " (sum " + percent(trial.agreement.total) +
                                ") within " + percent(innerShare) + " of the radius"));
      if (!first) first = &trial;
      std::string file;
      if (!psf_.empty()) {
        file = fileFor(psf_, trial.method);
        const bool picture = std::filesystem::path(file).extension() == ".png";
        WriteOptions writeOptions;
        writeOptions.window = 1;
        writeOptions.level = 1.0 / 2;
        writeImage(picture ? inDecibels(trial.spread.image) : trial.spread.image, file, writeOptions,
                   context.progress.part(compareShare, 1));
        context.say(row("", "written to " + file));
      }
      list.push_back(asJson(trial, file));
    }
    context.json(json_, {{"scan", toJson(*scan)}, {"density", list}});
  }

 private:
  static std::string percent(double share) {
    constexpr double hundred = 100;
    return numberText(hundred * share, 3) + "%";
  }

  static nlohmann::json asJson(const DensityTrial& trial, const std::string& file) {
    double sum = 0;
    for (double w : trial.weights.values) sum += w;
    nlohmann::json j = {{"method", densityName(trial.method)},
                        {"origin", trial.weights.origin},
                        {"sum", sum},
                        {"seconds", trial.seconds},
                        {"difference", trial.agreement.rms},
                        {"sumDifference", trial.agreement.total},
                        {"peak", trial.spread.peak},
                        {"fwhm", trial.spread.fwhm},
                        {"sideLobe", trial.spread.sideLobe},
                        {"sideLobeAt", trial.spread.sideLobeAt},
                        {"energyBeyond", trial.spread.beyond}};
    if (!file.empty()) j["file"] = file;
    return j;
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::vector<std::string> methods_;
  std::string psf_, json_;
};

}  // namespace

std::unique_ptr<Command> makeDensityCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<DensityCommand>(parent, program);
}

}  // namespace spokelab::cli
