// compare: the distance of an image from a reference, in whole and in a region, as in Measure.
#include <algorithm>
#include <charconv>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/check/region_metrics.h"
#include "engine/scan/check/resample_image.h"
#include "engine/scan/formats/images/read_image.h"

namespace spokelab::cli {
namespace {

// "10:20,30:45,7" -> low and high of each axis; a missing one is whole, z the middle slice.
ImageRegion regionOf(const std::string& text, bool ellipse, const Image& image) {
  ImageRegion region;
  region.ellipse = ellipse;
  for (std::size_t d = 0; d < 3; ++d) region.high[d] = image.size[d] - 1;
  if (text.empty()) return region;
  region.low[2] = region.high[2] = image.size[2] / 2;
  const auto refuse = [&] {
    throw Error("Cannot use the region " + text, "it is not X0:X1,Y0:Y1,Z0:Z1 in pixel numbers",
                "Write it as in 10:20,30:45,7");
  };
  std::size_t axis = 0, start = 0;
  while (start <= text.size()) {
    if (axis == 3) refuse();
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, end - start);
    const std::size_t colon = part.find(':');
    const auto number = [&](const std::string& digits) {
      std::int64_t value = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) refuse();
      return value;
    };
    region.low[axis] = number(part.substr(0, colon));
    region.high[axis] = colon == std::string::npos ? region.low[axis] : number(part.substr(colon + 1));
    if (region.low[axis] > region.high[axis]) refuse();
    ++axis;
    start = end + 1;
  }
  return region;
}

nlohmann::json toJson(const RegionStatistics& s) {
  return {{"pixels", s.count},
          {"leftOut", s.leftOut},
          {"mean", {s.mean.real(), s.mean.imag()}},
          {"deviation", s.deviation},
          {"magnitudeMean", s.magnitudeMean},
          {"magnitudeDeviation", s.magnitudeDeviation},
          {"smallest", s.smallest},
          {"largest", s.largest},
          {"snr", s.snr},
          {"complexSnr", s.complexSnr}};
}

void say(CommandContext& context, const std::string& name, const RegionStatistics& s) {
  context.say(name);
  context.say(row("pixels", std::to_string(s.count)));
  context.say(row("mean |m|", numberText(s.magnitudeMean, 5) + " +- " + numberText(s.magnitudeDeviation, 4) +
                                  ", SNR " + numberText(s.snr, 4)));
  context.say(row("range |m|", numberText(s.smallest, 4) + " to " + numberText(s.largest, 4)));
  context.say(row("mean m", numberText(s.mean.real(), 5) + (s.mean.imag() < 0 ? " - " : " + ") +
                                numberText(std::abs(s.mean.imag()), 5) + "i, each part +- " +
                                numberText(s.deviation, 4) + ", complex SNR " + numberText(s.complexSnr, 4)));
}

class CompareCommand final : public Command {
 public:
  CompareCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("compare", "Compare an image with a reference, in whole or in a region");
    app->add_option("IMAGE", image_, "NIfTI, ISMRMRD, NumPy or BART file")->required();
    app->add_option("REFERENCE", reference_,
                    "The same; on another grid it is resampled by its geometry. Without it: the region's "
                    "statistics alone");
    app->add_option("--region", region_,
                    "Pixels x, y, z, first:last; without z the middle slice; without it all")
        ->type_name("X0:X1,Y0:Y1,Z0:Z1");
    app->add_flag("--ellipse", ellipse_, "The ellipse that fills the region's x and y");
    app->add_flag("--by-pixel", byPixel_, "Images of one size: pixel by pixel, wherever they lie");
    app->add_option("--frame", frame_, "Frame to compare")->type_name("N");
    addJson(*app, json_);
    app->footer(
        "NRMSE and SSIM as in the window: |s a - b| / |b| with the least-squares scale s of the "
        "whole frame;\n"
        "SSIM of the magnitudes, Gaussian window of 11 x 11. Where either image holds magnitudes alone,\n"
        "magnitudes are compared. A reference on another grid is interpolated linearly in patient "
        "coordinates;\npixels that it does not cover are left out.\nExamples:\n  " +
        program + " compare image.nii.gz reference.nii.gz\n  " + program +
        " compare image.nii.gz reference.npy --region 20:40,30:50,16 --ellipse");
  }

  void declare(JobFiles& files) const override {
    for (const std::string& image : {image_, reference_}) declareInput(files, image);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double half = 0.5;
    const Image image = readImage(image_, context.progress.part(0, half));
    const ImageRegion region = regionOf(region_, ellipse_, image);
    const RegionStatistics imageStatistics = regionStatistics(image, frame_, region, context.progress);
    nlohmann::json j{{"image", image_}, {"frame", frame_}, {"imageRegion", toJson(imageStatistics)}};
    say(context, image_, imageStatistics);
    if (!reference_.empty()) {
      const auto read = std::make_shared<const Image>(readImage(reference_, context.progress.part(half, 1)));
      const auto laid = byPixel_ ? read : onGridOf(image, read, context.progress);
      const Image& reference = *laid;
      const RegionComparison compared = compareRegion(image, reference, frame_, region, context.progress);
      const RegionStatistics other = regionStatistics(reference, frame_, region, context.progress);
      say(context, reference_, other);
      context.say("Beside each other");
      if (laid != read) {
        const std::string resampling = resampledText(*read, reference);
        context.say(row("reference", resampling));
        j["resampled"] = resampling;
      }
      const bool magnitudes = comparesMagnitudes(image, reference);
      context.say(row("compared", comparedText(image, reference)));
      context.say(row("NRMSE", numberText(compared.nrmse, 4)));
      context.say(row("SSIM", numberText(compared.ssim, 4)));
      j["reference"] = reference_;
      j["referenceRegion"] = toJson(other);
      j["compared"] = magnitudes ? "magnitudes" : "complex values";
      j["nrmse"] = compared.nrmse;
      j["ssim"] = compared.ssim;
      j["scale"] = {compared.scale.real(), compared.scale.imag()};
    }
    context.json(json_, j);
  }

 private:
  std::string image_, reference_, region_, json_;
  bool ellipse_ = false, byPixel_ = false;
  int frame_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeCompareCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<CompareCommand>(parent, program);
}

}  // namespace spokelab::cli
