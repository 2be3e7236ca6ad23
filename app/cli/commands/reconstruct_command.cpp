// reconstruct: scan in, image out.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/commands/traced_job.h"
#include "app/cli/image_output.h"
#include "app/cli/ranks/rank_backend.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/measure/process_clock.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/job_json.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/model/job_model.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/prepare/samples_ahead.h"
#include "engine/recon/ranks/rank_reconstruction.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/frame_blocks.h"
#include "engine/recon/run/kept_of_scan.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/check/resample_image.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/files_behind.h"
#include "engine/scan/read/frame_count.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab::cli {
namespace {

class ReconstructCommand final : public Command {
 public:
  ReconstructCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("reconstruct", "Reconstruct a scan");
    scan_.addTo(*app);
    image_.addTo(*app, ImageOutput::Needed::unlessDryRun);
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
    app->add_flag("--dry-run", dryRun_, "Say what the job would do and what memory it takes, and do nothing")
        ->group("Output");
    app->parse_complete_callback([this] {
      if (!dryRun_ && image_.file().empty()) throw CLI::RequiredError("--output");
    });
    addTrace(*app, trace_, "when which part of the job ran, on which thread");
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
    if (!dryRun_) image_.declare(files);
    files.mayWrite(trace_);
    files.writes(json_);
  }

  bool usesRanks() const override { return true; }

  void run(CommandContext& context) override {
    ReconOptions options = recon_.options();
    scan_.select(options.shots, options.samples);
    if (dryRun_) return sayPlan(context, options);
    if (context.ranks) return runOnRanks(context);
    const double begun = now() - secondsSinceProcessStart();
    context.findBackends(options.backend == "cpu" ? Backends::Which::cpu : Backends::Which::all);
    JobAccount outside;  // what reconstruct() does not see
    const AccountRecorder account(outside);
    tellStage(JobStage::startUp, begun);
    TracedJob traced(trace_);
    JobTimer reading(JobStage::read);
    constexpr double readShare = 0.15, writeShare = 0.9;
    std::shared_ptr<const Image> reference;
    if (!reference_.empty())
      reference = std::make_shared<const Image>(readImage(reference_, context.progress.part(0, 0)));
    std::shared_ptr<const Scan> scan;
    const std::vector<std::vector<int>> blocks = blocksToRead(options, scan, context.progress.part(0, 0));
    Wisdom* wisdom = nullptr;
    const std::vector<Backend*>* backends = nullptr;
    const auto waitForBackends = [&] {
      if (backends) return;
      const JobTimer waiting(JobStage::startUp);
      wisdom = recon_.wisdom();  // read while the GPU starts
      backends = &context.backends().all();
    };
    std::unique_ptr<SamplesAhead> ahead;  // until the job is done
    Reconstruction result;
    JobShares shares{readShare, writeShare};
    if (blocks.size() > 1) {
      waitForBackends();
      ReconOptions ofBlock = options;
      ofBlock.frames = ofBlock.slices = "";
      reading.end();
      result = reconstructBlocks(
          blocks,
          [&](const std::string& frames, const Progress& progress) {
            return scan_.read(progress, frames, options.slices);
          },
          [&](const Scan& part, const Progress& progress) {
            return reconstruct(*backends, part, ofBlock, wisdom, progress);
          },
          scan, context.progress.part(0, writeShare));
      options = ofBlock;
    } else {
      // Parts that are not reconstructed need not be read.
      const bool builtIn = isBuiltIn(scan_.file());
      const bool allFrames = builtIn || findsField(options);  // all echoes tell the field
      if (!scan) {
        if (!allFrames) ahead = samplesAhead(context, options);
        const SampleFollowScope followed(ahead.get());
        scan = scan_.read(context.progress.part(0, readShare), allFrames ? "" : options.frames,
                          builtIn ? "" : options.slices);
        if (ahead) ahead->finish();
      }
      if (!allFrames) options.frames = "";
      if (!builtIn) options.slices = "";
      reading.end();
      waitForBackends();
      shares = sharesOf(begun, forecastJob(*backends, *scan, options, wisdom));
      result =
          reconstruct(*backends, *scan, options, wisdom, context.progress.part(shares.begin, shares.end));
    }
    if (result.cancelled && result.image && !result.iterations.empty()) keepLast(result);
    if (result.cancelled || !result.image) throw Cancelled{};
    JobTimer writing(JobStage::write);
    image_.keepPatientOf(*scan);
    const WrittenFiles files = image_.write(context, *result.image, context.progress.part(shares.end, 1));
    writing.end();
    if (blocks.size() == 1) learnJob(*backends, *scan, options, wisdom, outside);
    result.account += outside;
    result.account.total = now() - begun - result.pausedSeconds;
    traced.write("Reconstruct " + scan->name, context.progress);
    std::optional<MemoryCeiling> ceiling;
    if (ceiling_) ceiling = backendNamed(context.backends().all(), result.plan.backend)->memoryCeiling({});
    sayReconstruction(context, result, ceiling);
    if (wisdom && !wisdom->warning().empty()) context.say(row("wisdom", wisdom->warning()));
    sayWritten(context, files);
    traced.say(context);
    nlohmann::json document = outputDocument(image_.file(), files);
    document["scan"] = toJson(*scan);
    document["reconstruction"] = toJson(result);
    if (ceiling) document["ceiling"] = ceilingToJson(*ceiling);
    if (reference) compareWith(reference, *result.image, context, document);
    context.json(json_, document);
  }

 private:
  void sayPlan(CommandContext& context, const ReconOptions& options) {
    if (context.ranks && !context.ranks->isFirst()) return;
    context.findBackends(options.backend == "cpu" ? Backends::Which::cpu : Backends::Which::all);
    const auto scan = scan_.read(context.progress);
    const JobPlan plan = planReconstruction(context.backends().all(), *scan, options);
    context.say(scan->name);
    for (const auto& [name, text] : planRows(plan)) context.say(row(name, text));
    const std::vector<KeptItem> keptItems = keptBefore(*scan, plan, recon_.wisdom());
    if (!keptItems.empty()) context.say(row("kept", keptItemsText(keptItems)));
    context.json(json_, {{"scan", toJson(*scan)}, {"job", toJson(plan)}, {"kept", keptToJson(keptItems)}});
  }

  void compareWith(const std::shared_ptr<const Image>& reference, const Image& image, CommandContext& context,
                   nlohmann::json& document) const {
    const auto laid = onGridOf(image, reference, context.progress);
    if (laid != reference) context.say(row("reference", resampledText(*reference, *laid)));
    const double difference = nrmse(image, *laid);
    const bool magnitudes = comparesMagnitudes(image, *laid);
    context.say(row("reference", reference_ + ": NRMSE " + numberText(difference, 3) + " of " +
                                     comparedText(image, *laid)));
    document["reference"] = {{"file", reference_},
                             {"nrmse", difference},
                             {"compared", magnitudes ? "magnitudes" : "complex values"}};
  }

  // Sends samples to the GPU while others are read; null: none takes them.
  static std::unique_ptr<SamplesAhead> samplesAhead(CommandContext& context, const ReconOptions& options) {
    if (options.backend == "cpu" || options.inDouble()) return nullptr;
    return std::make_unique<SamplesAhead>(
        [&context, devices = options.devices]() -> std::unique_ptr<SampleReceiver> {
          for (Backend* const backend : context.backends().all()) {
            const std::vector<Backend*> chosen = devicesOf(*backend, devices);
            if (chosen.size() > 1) continue;
            if (auto receiver = chosen.front()->sampleReceiver()) return receiver;
          }
          return nullptr;
        });
  }

  // Runs this process as one of several ranks; the first rank writes.
  void runOnRanks(CommandContext& context) {
    const ReconOptions options = recon_.options();
    if (ceiling_ || !trace_.empty())
      throw Error("Cannot reconstruct on several ranks", "--trace and --ceiling are of one process",
                  "Start it without mpirun or srun, or leave the option out");
    const bool first = context.ranks->isFirst();
    std::shared_ptr<const Image> reference;
    if (first && !reference_.empty())
      reference = std::make_shared<const Image>(readImage(reference_, context.progress.part(0, 0)));
    // Windows over time and bins of breathing are cut from the whole scan.
    const bool readsWholeScan = isBuiltIn(scan_.file()) || makesFrames(scan_.options());
    const RankReader reader{[this](const std::string& frames, const std::string& slices,
                                   const Progress& progress) { return scan_.read(progress, frames, slices); },
                            !readsWholeScan};
    constexpr double writeShare = 0.9;
    const auto cpu = makeCpuBackend();
    const std::vector<Backend*> none;
    Backend& backend =
        rankBackend(*context.ranks, launchedRanks(), options, *cpu,
                    options.backend == "cpu" ? none : context.backends().all(), context.progress.part(0, 0));
    RankReconstruction done =
        reconstructOnRanks(*context.ranks, backend, reader, options, first ? recon_.wisdom() : nullptr,
                           context.progress.part(0, writeShare));
    if (!first) return;
    done.result.notes.push_back(ranksText(done.result));
    const WrittenFiles files =
        image_.write(context, *done.result.image, context.progress.part(writeShare, 1));
    sayReconstruction(context, done.result);
    sayWritten(context, files);
    nlohmann::json document = outputDocument(image_.file(), files);
    document["scan"] = toJson(*done.scan);
    document["reconstruction"] = toJson(done.result);
    if (reference) compareWith(reference, *done.result.image, context, document);
    context.json(json_, document);
  }

  // The frames to read together: all at once, unless the scan is larger than the memory for it.
  // `scan`: set where all that is asked for has been read on the way.
  std::vector<std::vector<int>> blocksToRead(const ReconOptions& options, std::shared_ptr<const Scan>& scan,
                                             const Progress& progress) const {
    constexpr double sureShare = 0.25;  // of the memory: smaller files are not looked into first
    std::vector<std::vector<int>> atOnce(1);
    if (recipeOf(options).joinsFrames) return atOnce;  // blocks of frames would be other unknowns
    if (isBuiltIn(scan_.file()) || makesFrames(scan_.options()) || findsField(options)) return atOnce;
    double room = double(memoryBounds().left), bytes = 0;
    if (options.nufft.memoryLimit > 0) room = std::min(room, double(options.nufft.memoryLimit));
    std::error_code failed;
    for (const std::filesystem::path& file : filesBehind(scan_.file()))
      if (const auto size = std::filesystem::file_size(file, failed); !failed) bytes += double(size);
    if (bytes < sureShare * room) return atOnce;
    const auto probe = scan_.read(progress, firstFrameAsked(options), options.slices);
    const std::vector<int> frames = selection(options.frames, framesInFile(*probe), "frames");
    if (frames.size() == 1) {
      scan = probe;
      return atOnce;
    }
    double frame = double(probe->samples.front().size()) * Scan::bytesPerSample(probe->isDouble());
    frame += double(probe->trajectory(0).points.size()) * sizeof(double);
    const double image =
        double(product(probe->geometry.matrix) * probe->slices) * Scan::bytesPerSample(options.inDouble());
    return frameBlocks(frames, frame, image, room);
  }

  // The reconstruction's begin and end on the progress bar, as shares of it.
  struct JobShares {
    double begin, end;
  };
  static JobShares sharesOf(double begun, const JobAccount& forecast) {
    constexpr JobShares unknown{0.15, 0.9};
    const double write = forecast[JobStage::write], passed = now() - begun;
    const double inside = forecast.total - write - forecast[JobStage::read] - forecast[JobStage::startUp];
    if (!(inside > 0)) return unknown;
    const double totalSeconds = passed + inside + write;
    return {passed / totalSeconds, (passed + inside) / totalSeconds};
  }

  // A cancel inside the iterations keeps the last image.
  void keepLast(const Reconstruction& result) const {
    image_.write(*result.image, {});
    std::fprintf(stderr, "\n%s written: %s\n", image_.file().c_str(), result.notes.back().c_str());
  }

  ScanArguments scan_;
  ReconArguments recon_;
  ImageOutput image_;
  std::string json_, reference_, trace_;
  bool ceiling_ = false, dryRun_ = false;
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ReconstructCommand>(parent, program);
}

}  // namespace spokelab::cli
