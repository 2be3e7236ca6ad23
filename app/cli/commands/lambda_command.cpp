// lambda: images for a whole range of the regularization from one run, and what speaks for which.
#include <charconv>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/job_json.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/lambda/lambda_choice.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

const std::string all = "all", corner = "corner", discrepancy = "discrepancy", heldOut = "held-out";

double numberOf(const std::string& text, const std::string& summary, const std::string& remedy) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() || !(value > 0))
    throw Error(summary, "\"" + text + "\" is not a number above 0", remedy);
  return value;
}

class LambdaCommand final : public Command {
 public:
  LambdaCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("lambda", "Choose the regularization: images of a whole range from one run");
    scan_.addTo(*app);
    app->add_option("-o,--output", output_, "Write the images that --pick names (.nii.gz, .h5, .npy, .cfl)")
        ->type_name("FILE")
        ->group("Output");
    app->add_option(
           "--pick", pick_,
           "Image to write. all: a frame for each value; corner of the L-curve; discrepancy: misfit as "
           "large as the noise; held-out: samples left out are predicted best; or a number")
        ->type_name("{all,corner,discrepancy,held-out,NUMBER}")
        ->capture_default_str()
        ->group("Output");
    app->add_option("--range", range_, "Smallest and largest value")
        ->type_name("LOW:HIGH")
        ->capture_default_str()
        ->group("Range");
    app->add_option("--values", options_.count, "Values in the table, at logarithmic steps")
        ->check(CLI::Range(2, 1000))
        ->capture_default_str()
        ->group("Range");
    app->add_option(
           "--steps", options_.steps,
           "Most steps of the run, an image of memory each; it ends before where the smallest value meets "
           "the tolerance")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->group("Range");
    app->add_option("--hold-out", heldOutPercent_,
                    "Percent of the shots that a second run leaves out and predicts; 0: no such run")
        ->check(CLI::Range(0.0, 50.0))
        ->capture_default_str()
        ->group("Range");
    app->add_option("--hold-out-seed", options_.seed, "Seed of the choice of shots that are left out")
        ->group("Range");
    app->add_option("--sigma", sigma_,
                    "Standard deviation of a sample's real and imaginary part, in place of the noise lines")
        ->check(CLI::PositiveNumber)
        ->group("Range");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " lambda scan.h5 --method sense --range 1e-4:1\n  " + program +
                " lambda scan.h5 --method sense --pick discrepancy -o best.nii.gz --json lambda.json");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    if (!output_.empty())
      for (const std::filesystem::path& file : filesOfImage(output_)) files.mayWrite(file);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.1, runShare = 0.95, percent = 100;
    ReconOptions options = recon_.options();
    if (options.iterative.method == ReconMethod::gridding) options.iterative.method = ReconMethod::sense;
    LambdaRangeOptions range = options_;
    range.heldOut = heldOutPercent_ / percent;
    range.tolerance = options.iterative.solver.tolerance;
    readRange(range);
    const std::optional<double> number = pickedNumber();
    const auto scan = scan_.read(context.progress.part(0, readShare));
    Backend& backend = *backendsFor(context.backends().all(), options.backend, options.devices).front();
    const LambdaChoice choice =
        chooseLambda(backend, *scan, options, range, sigma_, context.progress.part(readShare, runShare));
    context.say(scan->name);
    sayTable(context, choice);
    std::string file;
    if (!output_.empty()) file = write(context, choice, number);
    context.json(json_, document(*scan, options, choice, file));
  }

 private:
  void readRange(LambdaRangeOptions& range) const {
    const std::string summary = "Cannot use --range " + range_, remedy = "Give it as in 1e-4:1";
    const std::size_t colon = range_.find(':');
    if (colon == std::string::npos) throw Error(summary, "it has one number", remedy);
    range.low = numberOf(range_.substr(0, colon), summary, remedy);
    range.high = numberOf(range_.substr(colon + 1), summary, remedy);
    if (!(range.high > range.low)) throw Error(summary, "the second number is not larger", remedy);
  }

  std::optional<double> pickedNumber() const {
    if (pick_ == all || pick_ == corner || pick_ == discrepancy || pick_ == heldOut) return std::nullopt;
    return numberOf(pick_, "Cannot use --pick " + pick_,
                    "Use all, corner, discrepancy, held-out or a number");
  }

  static void sayTable(CommandContext& context, const LambdaChoice& choice) {
    const LambdaRange& range = *choice.range;
    const auto column = [](const std::string& text) {
      constexpr std::size_t width = 12;
      return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
    };
    context.say("  " + column("lambda") + column("misfit") + column("|x|") + column("residual") +
                column("curvature") + (range.heldOut.empty() ? "" : "held out"));
    for (std::size_t i = 0; i < range.points.size(); ++i) {
      const LambdaPoint& p = range.points[i];
      context.say("  " + column(numberText(p.lambda, 3)) + column(numberText(p.misfit / range.energy, 4)) +
                  column(numberText(std::sqrt(p.square), 4)) + column(numberText(p.residual, 2)) +
                  column(numberText(choice.curvature[i], 2)) +
                  (range.heldOut.empty() ? "" : numberText(p.heldOut / range.energy, 4)));
    }
    context.say(row("run", range.ending + ", " + range.transform));
    if (!range.heldOut.empty()) context.say(row("held out", range.heldOut));
    if (choice.noise > 0)
      context.say(row("noise", numberText(choice.noise / range.energy, 4) + " of the samples' energy"));
    const auto say = [&](const std::string& name, const std::optional<double>& lambda) {
      if (lambda) context.say(row(name, "lambda " + numberText(*lambda, 3)));
    };
    say(corner, choice.corner);
    say(discrepancy, choice.discrepancy);
    say(heldOut, choice.heldOut);
    for (const std::string& note : choice.notes) context.say(row("", note));
    for (const std::string& note : range.notes) context.say(row("", note));
  }

  std::string write(CommandContext& context, const LambdaChoice& choice,
                    const std::optional<double>& number) const {
    const auto needed = [&](const std::optional<double>& lambda) {
      if (lambda) return *lambda;
      throw Error("Cannot write " + output_, "the range has no lambda by " + pick_,
                  "Use another range, or another --pick");
    };
    std::shared_ptr<const Image> image;
    if (pick_ == all) {
      auto every = std::make_shared<Image>(*choice.place);
      every->frames = int(choice.range->points.size());
      every->data.clear();
      for (const LambdaPoint& point : choice.range->points) {
        const auto one = choice.image(point.lambda);
        every->data.insert(every->data.end(), one->data.begin(), one->data.end());
      }
      image = every;
    } else {
      image = choice.image(number                 ? *number
                           : pick_ == corner      ? needed(choice.corner)
                           : pick_ == discrepancy ? needed(choice.discrepancy)
                                                  : needed(choice.heldOut));
    }
    writeImage(*image, output_, {}, context.progress);
    context.say(row("written", output_));
    return output_;
  }

  static nlohmann::json document(const Scan& scan, const ReconOptions& options, const LambdaChoice& choice,
                                 const std::string& file) {
    nlohmann::json lambda = toJson(choice);
    if (!file.empty()) lambda["file"] = file;
    return {{"scan", toJson(scan)}, {"options", toJson(options)}, {"lambda", lambda}};
  }

  ScanArguments scan_;
  ReconArguments recon_;
  LambdaRangeOptions options_;
  double heldOutPercent_ = 10, sigma_ = 0;
  std::string output_, json_, pick_ = all, range_ = "1e-4:1";
};

}  // namespace

std::unique_ptr<Command> makeLambdaCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<LambdaCommand>(parent, program);
}

}  // namespace spokelab::cli
