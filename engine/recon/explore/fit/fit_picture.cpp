#include "engine/recon/explore/fit/fit_picture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/core/text.h"
#include "engine/recon/explore/fit/small_scan.h"
#include "engine/recon/job/given_maps.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/map_on_grid.h"
#include "engine/scan/read/correct/concomitant.h"
#include "engine/scan/read/correct/correct_drift.h"
#include "engine/scan/read/correct/correct_girf.h"

namespace spokelab {

namespace {

// One frame and slice of the scan, for corrections that change samples.
std::shared_ptr<Scan> oneSlice(const Scan& scan, int frame, int slice) {
  std::shared_ptr<Scan> part = describedAs(scan);
  part->geometry = geometryOf(scan, {frame}, {slice});
  part->frames = part->slices = 1;
  part->frameAxes = {};
  part->arrays.clear();
  part->trajectories = {scan.trajectory(frame)};
  part->samples.clear();
  part->doubleSamples.clear();
  const std::int64_t count = scan.trajectory(frame).samples();
  part->makeRoom(0, count * scan.coils, false);
  for (int c = 0; c < scan.coils; ++c) std::copy_n(scan.data(frame, slice, c), count, part->data(0, 0, c));
  return part;
}

// Corrects the scan as the reader does with this choice.
void correctBy(void (*correct)(Scan&, Decisions&, const Progress&), const char* topic,
               const std::string& choice, Scan& scan, const Progress& progress) {
  ReadOptions options;
  options.overrides[topic] = choice;
  Decisions d(options, "Cannot correct " + scan.name);
  correct(scan, d, progress);
}

// The field at the places of a smaller image's pixels.
NamedArray fieldOn(const Image& field, const Geometry& grid, double share, const Progress& progress) {
  const std::vector<cfloat> values =
      mapOnGrid(field, grid, grid.matrix, MapKind::value, "Cannot draw the field", progress).values;
  NamedArray map;
  map.name = fieldMapArray;
  map.shape = {grid.matrix[2], grid.matrix[1], grid.matrix[0]};
  for (const cfloat& value : values) map.values.push_back(float(share) * value);
  return map;
}

// A picture for the eye: few iterations and coils.
void solveWithField(Scan& scan, const ReconOptions& asked, const TrialCorrection& trial,
                    ReconOptions& options, const Progress& progress) {
  constexpr int iterations = 4, coils = 4;
  options.iterative.method = ReconMethod::sense;
  options.iterative.solver.iterations = iterations;
  options.iterative.timeOriginMs = asked.iterative.timeOriginMs;
  if (scan.coils > coils) options.virtualCoils = coils;
  if (trial.field && trial.fieldShare != 0)
    scan.arrays.push_back(fieldOn(*trial.field, scan.geometry, trial.fieldShare, progress));
}

}  // namespace

std::shared_ptr<const Image> fitPicture(const Scan& scan, const ReconOptions& options,
                                        const TrialCorrection& trial, std::int64_t size,
                                        const Progress& progress) {
  const JobPlan job = planJob(scan, options);
  int frame = job.frames.front(), slice = scan.dims() == 3 ? 0 : job.slices[job.slices.size() / 2];
  std::shared_ptr<Scan> corrected;
  if (trial.driftTurns != 0 || !trial.girf.empty() || trial.concomitantField > 0) {
    corrected = oneSlice(scan, frame, slice);
    if (!trial.girf.empty()) correctBy(correctGirf, "girf", trial.girf, *corrected, progress);
    if (trial.driftTurns != 0) takeDrift(*corrected, trial.driftTurns / std::max(1, scan.frames));
    if (trial.concomitantField > 0)
      correctBy(correctConcomitant, "concomitant", exactNumberText(trial.concomitantField), *corrected,
                progress);
    frame = slice = 0;
  }
  const SmallScan small =
      smallScan(corrected ? *corrected : scan, frame, slice, scan.dims() == 3 ? size / 2 : size, false);
  std::vector<double> points = small.pointsAt(trial.delays);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] *= trial.scales[i % std::size_t(scan.dims())];
  small.scan->trajectories.front().points = std::move(points);
  // A fixed plan: nothing is tuned for the eye.
  constexpr double coarseError = 1e-2;
  const auto backend = makeCpuBackend();
  ReconOptions gridding;
  setAccuracy(gridding, coarseError);
  gridding.nufft.alpha = 2;
  gridding.nufft.width = 4;
  gridding.backend = backend->name();
  if (trial.field || trial.concomitantField > 0)
    solveWithField(*small.scan, options, trial, gridding, progress);
  const Reconstruction result = runJob(*backend, *small.scan, gridding, nullptr, nullptr, progress);
  if (result.cancelled || !result.image) throw Cancelled{};
  return result.image;
}

}  // namespace spokelab
