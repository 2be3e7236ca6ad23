// reconstruct: scan in, image out.
#include "app/cli/command.h"
#include "app/cli/image_output.h"
#include "engine/core/error.h"
#include "engine/profile/results.h"

namespace spokelab::cli {
namespace {

class ReconstructCommand final : public Command {
 public:
  ReconstructCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("reconstruct", "Reconstruct a scan");
    scan_.addTo(*app);
    image_.addTo(*app);
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " reconstruct scan.h5 -o image.nii.gz\n  " + program +
                " reconstruct demo -o demo.png --part magnitude\n  " + program +
                " reconstruct scan.h5 -o image.npy --accuracy 1e-5 --precision double --frames 0-3");
  }

  void run(CommandContext& context) override {
    image_.check();
    const ReconOptions options = recon_.options();
    constexpr double readShare = 0.15, writeShare = 0.9;
    const auto scan = scan_.read(context.progress.part(0, readShare));
    Wisdom* wisdom = recon_.wisdom();
    const Reconstruction result = reconstruct(context.backends().all(), *scan, options, wisdom,
                                              context.progress.part(readShare, writeShare));
    if (result.cancelled || !result.image) throw Cancelled{};
    image_.write(*result.image, context.progress.part(writeShare, 1));
    sayReconstruction(context, result);
    if (wisdom && !wisdom->warning().empty()) context.say(row("wisdom", wisdom->warning()));
    context.say(row("written", image_.file()));
    context.json(json_,
                 {{"output", image_.file()}, {"scan", toJson(*scan)}, {"reconstruction", toJson(result)}});
  }

 private:
  ScanArguments scan_;
  ReconArguments recon_;
  ImageOutput image_;
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ReconstructCommand>(parent, program);
}

}  // namespace spokelab::cli
