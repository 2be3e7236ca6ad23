#include "engine/recon/explore/scan_maps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/recon/explore/scan_field.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/run/sense/scan_sense.h"

namespace spokelab {
namespace {

// All frames take the place of the scan's frame `place`.
std::shared_ptr<Image> framesOf(const Scan& scan, int slice, std::size_t frames, int place) {
  return makeImage(scan, int(frames), {slice}, false, place);
}

}  // namespace

ScanMaps scanMaps(Backend& backend, const Scan& scan, const ReconOptions& asked, const Progress& progress) {
  constexpr double twoPi = 2 * std::numbers::pi, preparationShare = 0.1;
  const bool phasesThere = std::any_of(scan.arrays.begin(), scan.arrays.end(),
                                       [](const NamedArray& a) { return a.name == "PhaseMaps"; });
  const bool hasPhases =
      asked.iterative.method == ReconMethod::pcSense || phasesThere || !asked.iterative.phaseMaps.empty();
  ReconOptions wanted = withRecipeDefaults(asked);  // soft SENSE has two sets of maps
  wanted.exact = false;
  wanted.iterative.transform = TransformKind::automatic;
  wanted.iterative.method = hasPhases ? ReconMethod::pcSense : ReconMethod::sense;
  wanted = withEchoField(backend, scan, std::move(wanted), progress.part(0, preparationShare / 2));
  const JobPlan planned = planJob(scan, wanted), job = afterPreparation(planned);
  const ReconOptions& options = job.options;
  const int frame = job.frames.front(), slice = job.slices.front();
  ScanMaps maps;
  const ScanPreparation coils =
      prepareScan(scan, planned, progress.part(preparationShare / 2, preparationShare));
  maps.notes = coils.notes;
  const Scan& prepared = coils.scan ? *coils.scan : scan;
  FrameDensities densities(prepared, options, backend);
  CoilMapSource source{mapFrames(job.frames), {}, {}};
  const SenseProblem problem = senseProblem(backend, prepared, coils.mixing, job, frame, slice, densities,
                                            source, maps.notes, progress.part(preparationShare, 1));
  maps.shots = int(scan.trajectory(frame).shots());
  maps.phaseShots = (coils.scan ? *coils.scan : scan).trajectory(frame).shotNumbers;
  const auto coilImages = framesOf(scan, slice, std::size_t(problem.mapSets) * problem.coils.size(), frame);
  if (problem.backendMaps)
    problem.backendMaps->download(coilImages->data.data());
  else
    std::copy(problem.maps.begin(), problem.maps.end(), coilImages->data.begin());
  maps.coils = coilImages;
  maps.coilSets = problem.mapSets;
  if (const std::vector<double>& times = prepared.trajectory(frame).times; !times.empty()) {
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    const double origin = options.iterative.timeOriginMs * 1e-3;
    maps.firstTime = *first - origin;
    maps.lastTime = *last - origin;
  }
  if (!problem.field.empty()) {
    const auto field = framesOf(scan, slice, 1, frame);
    double largest = 0;
    for (std::size_t i = 0; i < problem.field.size(); ++i) {
      field->data[i] = float(problem.field[i] / twoPi);
      largest = std::max(largest, std::abs(problem.field[i]));
    }
    maps.largestPhase = largest * std::max(std::abs(maps.firstTime), std::abs(maps.lastTime));
    maps.field = field;
  }
  if (!problem.phases.empty()) {
    const auto phases = framesOf(scan, slice, problem.phases.size(), frame);
    auto out = phases->data.begin();
    for (const std::vector<double>& map : problem.phases)
      out = std::transform(map.begin(), map.end(), out, [](double v) { return cfloat(float(v)); });
    maps.phases = phases;
  }
  return maps;
}

}  // namespace spokelab
