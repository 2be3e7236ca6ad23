// ask: one pixel of a scan's image: its point spread, the shots that it depends on, its error.
#include <charconv>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/pixel/ask_pixel.h"
#include "engine/recon/explore/point_spread.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

// "120,96" or "120,96,4".
Index3 pixelFrom(const std::string& text) {
  Index3 pixel{0, 0, 0};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t d = 0; d < pixel.size(); ++d) {
    const auto read = std::from_chars(at, end, pixel[d]);
    const bool last = read.ptr == end;
    if (read.ec != std::errc() || (!last && *read.ptr != ',')) break;
    if (last && d > 0) return pixel;
    at = read.ptr + (last ? 0 : 1);
  }
  throw Error("Cannot ask the pixel " + text, "it is not two or three numbers",
              "Give x,y or x,y,z from 0, as in 120,96");
}

nlohmann::json answerJson(const PixelAnswer& a) {
  nlohmann::json shots = nlohmann::json::array();
  for (const ShotInfluence& s : a.shots)
    shots.push_back(
        {{"shot", s.shot}, {"weight", s.weight}, {"change", s.change}, {"magnitude", s.magnitude}});
  return {{"pixel", a.pixel},
          {"frame", a.frame},
          {"value", a.value},
          {"fieldHz", a.fieldHz},
          {"decay", a.decay},
          {"coils", a.coils},
          {"coilSize", a.coilSize},
          {"spread",
           {{"reconstructed", a.isReconstructed},
            {"stays", a.stays},
            {"largest", a.largest},
            {"largestAt", a.largestAt},
            {"fwhm", a.fwhm},
            {"sideLobe", a.sideLobe},
            {"sideLobeAt", a.sideLobeAt}}},
          {"predictedError", a.transformError},
          {"plan", {{"alpha", a.alpha}, {"width", a.width}}},
          {"noise", a.noise},
          {"shots", shots},
          {"notes", a.notes}};
}

class AskCommand final : public Command {
 public:
  AskCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("ask", "Ask a pixel: its point spread, the shots it depends on, its error");
    scan_.addTo(*app);
    app->add_option("--pixel", pixel_, "Its x, y and z (or slice) from 0, as in 120,96 or 120,96,4")
        ->type_name("X,Y[,Z]")
        ->required()
        ->group("Pixel");
    app->add_option("--most", maxShots_, "Shots to say, those with the largest influence; --json has all")
        ->check(CLI::Range(0, 100000))
        ->group("Pixel");
    app->add_option("--psf", psf_, "Write its point spread function; .png: 80 dB, the others: values")
        ->type_name("FILE")
        ->group("Output");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " ask demo --pixel 20,24,16\n  " + program +
                " ask scan.h5 --pixel 120,96 --method sense --psf psf.png --json pixel.json");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    if (!psf_.empty())
      for (const std::filesystem::path& file : filesOfImage(psf_)) files.writes(file);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.1, askShare = 0.95;
    const Index3 pixel = pixelFrom(pixel_);
    const ReconOptions options = recon_.options();
    const auto scan = scan_.read(context.progress.part(0, readShare));
    Backend& backend = *backendsFor(context.backends().all(), options.backend, options.devices).front();
    const PixelAnswer answer =
        askPixel(backend, *scan, options, pixel, context.progress.part(readShare, askShare));
    context.say(scan->name + ", pixel " + pixel_);
    for (const auto& [title, text] : describe(answer, scan->dims())) context.say(row(title, text));
    sayShots(context, answer);
    if (!psf_.empty()) {
      const bool picture = std::filesystem::path(psf_).extension() == ".png";
      WriteOptions writeOptions;
      writeOptions.window = 1;
      writeOptions.level = 1.0 / 2;
      writeImage(picture ? inDecibels(answer.spread) : answer.spread, psf_, writeOptions,
                 context.progress.part(askShare, 1));
      context.say(row("written", psf_));
    }
    context.json(json_,
                 {{"scan", toJson(*scan)}, {"options", toJson(options)}, {"answer", answerJson(answer)}});
  }

 private:
  void sayShots(CommandContext& context, const PixelAnswer& answer) const {
    int said = 0;
    for (const ShotInfluence& shot : answer.shots) {
      if (said++ == maxShots_) break;
      context.say(row(said == 1 ? "shots" : "",
                      "shot " + std::to_string(shot.shot) + " is " + percentText(shot.change, 2) +
                          " of the pixel; without it the value changes by " + percentText(shot.magnitude, 2) +
                          " (weight " + percentText(shot.weight, 2) + ")"));
    }
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::string pixel_, psf_, json_;
  int maxShots_ = 8;
};

}  // namespace

std::unique_ptr<Command> makeAskCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<AskCommand>(parent, program);
}

}  // namespace spokelab::cli
