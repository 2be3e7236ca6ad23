// reconstruct: scan in, image out.
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/image_output.h"
#include "app/cli/text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/measure/trace_json.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/results.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/check/resample_image.h"
#include "engine/scan/formats/images/read_image.h"

namespace spokelab::cli {
namespace {

class ReconstructCommand final : public Command {
 public:
  ReconstructCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("reconstruct", "Reconstruct a scan");
    scan_.addTo(*app);
    image_.addTo(*app);
    recon_.addTo(*app);
    app->add_option(
           "--reference", reference_,
           "Image to compare with (.nii.gz, .nii, .h5, .npy, .cfl), on its own grid or another: prints the "
           "NRMSE")
        ->type_name("FILE")
        ->group("Output");
    app->add_flag("--ceiling", ceiling_,
                  "Measure the memory's bandwidth too (a second at most): each stage's share of it")
        ->group("Output");
    app->add_option(
           "--trace", trace_,
           "Write when which part of the job ran, on which thread, to FILE: trace JSON that Perfetto "
           "(ui.perfetto.dev) and chrome://tracing open")
        ->type_name("FILE")
        ->group("Output");
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " reconstruct scan.h5 -o image.nii.gz\n  " + program +
                " reconstruct demo -o demo.png --part magnitude\n  " + program +
                " reconstruct scan.h5 -o image.npy --accuracy 1e-5 --precision double --frames 0-3\n  " +
                program + " reconstruct scan.h5 -o image.nii.gz --method sense --trace trace.json");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    declareInput(files, reference_);
    image_.declare(files);
    files.writes(trace_);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    ReconOptions options = recon_.options();
    constexpr double readShare = 0.15, writeShare = 0.9;
    std::shared_ptr<const Image> reference;
    if (!reference_.empty())
      reference = std::make_shared<const Image>(readImage(reference_, context.progress.part(0, 0)));
    TraceRecorder recorder;
    std::optional<TraceScope> traced;
    if (!trace_.empty()) traced.emplace(&recorder);
    const double start = now();
    // What is not reconstructed need not be read.
    const auto scan =
        scan_.read(context.progress.part(0, readShare), scan_.file() == "demo" ? "" : options.frames,
                   scan_.file() == "demo" ? "" : options.slices);
    if (scan_.file() != "demo") options.frames = options.slices = "";
    const double read = now() - start;
    bookStage(nullptr, JobStage::read, start);
    Wisdom* wisdom = recon_.wisdom();
    Reconstruction result = reconstruct(context.backends().all(), *scan, options, wisdom,
                                        context.progress.part(readShare, writeShare));
    if (result.cancelled && result.image && !result.iterations.empty()) keepLast(result);
    if (result.cancelled || !result.image) throw Cancelled{};
    const double writing = now();
    image_.write(context, *result.image, context.progress.part(writeShare, 1));
    result.account[JobStage::read] = read;
    bookStage(&result.account, JobStage::write, writing);
    result.account.total = now() - start - result.pausedSeconds;
    const Trace trace = recorder.take();
    traced.reset();
    if (!trace_.empty())
      writeFileAtomically(trace_, traceToJson(trace, "Reconstruct " + scan->name), context.progress);
    std::optional<MemoryCeiling> ceiling;
    if (ceiling_) ceiling = backendNamed(context.backends().all(), result.plan.backend)->memoryCeiling({});
    sayReconstruction(context, result, ceiling);
    if (wisdom && !wisdom->warning().empty()) context.say(row("wisdom", wisdom->warning()));
    context.say(row("written", image_.file()));
    if (!trace_.empty()) context.say(row("trace", trace_));
    nlohmann::json document = {
        {"output", image_.file()}, {"scan", toJson(*scan)}, {"reconstruction", toJson(result)}};
    if (ceiling) document["ceiling"] = ceilingToJson(*ceiling);
    if (reference) {
      const auto laid = onGridOf(*result.image, reference, context.progress);
      if (laid != reference) context.say(row("reference", resampledText(*reference, *laid)));
      const double difference = nrmse(*result.image, *laid);
      const bool magnitudes = comparesMagnitudes(*result.image, *laid);
      context.say(row("reference", reference_ + ": NRMSE " + numberText(difference, 3) + " of " +
                                       comparedText(*result.image, *laid)));
      document["reference"] = {{"file", reference_},
                               {"nrmse", difference},
                               {"compared", magnitudes ? "magnitudes" : "complex values"}};
    }
    context.json(json_, document);
  }

 private:
  // A cancel inside the iterations keeps the last image.
  void keepLast(const Reconstruction& result) const {
    image_.write(*result.image, {});
    std::fprintf(stderr, "\n%s written: %s\n", image_.file().c_str(), result.notes.back().c_str());
  }

  ScanArguments scan_;
  ReconArguments recon_;
  ImageOutput image_;
  std::string json_, reference_, trace_;
  bool ceiling_ = false;
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ReconstructCommand>(parent, program);
}

}  // namespace spokelab::cli
