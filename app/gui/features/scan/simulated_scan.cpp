#include "app/gui/features/scan/simulated_scan.h"

#include "app/gui/session/command_text.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/scan/scan.h"
#include "engine/scan/simulate/echo_train.h"

namespace spokelab {
namespace {

constexpr double simulationShare = 0.8;  // of the progress bar; the truth takes the rest

// The phantom as the pattern's part of k-space resolves it, in the form of a result.
std::shared_ptr<const Reconstruction> truthOf(const SimulateOptions& options, const Scan& scan,
                                              const Progress& progress) {
  const double start = now();
  auto image = std::make_shared<Image>(simulatedTruth(options, scan.geometry.matrix, scan.dims(),
                                                      fairTruth(options.trajectory.pattern), progress));
  image->geometry = scan.geometry;
  if (image->frames == scan.frames) image->frameAxes = scan.frameAxes;
  image->name = scan.name;
  auto result = std::make_shared<Reconstruction>();
  result->image = image;
  result->origin = ResultOrigin::phantom;
  result->plan.description = "the phantom itself, as this matrix resolves it";
  result->density = "none needed";
  result->seconds = now() - start;
  return result;
}

}  // namespace

SimulatedScan simulateScan(const SimulateOptions& options, bool truth, const Progress& progress) {
  SimulatedScan made;
  made.scan = simulate(options, progress.part(0, simulationShare));
  if (truth) made.truth = truthOf(options, *made.scan, progress.part(simulationShare, 1));
  return made;
}

std::map<std::string, std::string> simulationOf(const SimulateOptions& options) {
  std::map<std::string, std::string> values;
  for (const OptionSpec& spec : simulateOptionTable()) values[spec.name] = optionValue(options, spec.name);
  return values;
}

QString simulateCommand(const SimulateOptions& options) {
  return QString::fromStdString(simulateCommand(simulationOf(options)));
}

}  // namespace spokelab
