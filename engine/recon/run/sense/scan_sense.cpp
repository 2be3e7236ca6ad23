#include "engine/recon/run/sense/scan_sense.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/measure/spans.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/recon/coils/espirit_maps.h"
#include "engine/recon/coils/walsh_maps.h"
#include "engine/recon/field/field_gradient.h"
#include "engine/recon/field/second_order.h"
#include "engine/recon/job/given_maps.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/prepare/map_files.h"

namespace spokelab {
namespace {

constexpr double twoPi = 2 * std::numbers::pi;

std::vector<double> realParts(const std::vector<cfloat>& maps, double scale) {
  std::vector<double> values(maps.size());
  for (std::size_t i = 0; i < maps.size(); ++i) values[i] = double(maps[i].real()) * scale;
  return values;
}

constexpr double maxFieldHz = 5000;  // far beyond any scanner's shim, and a unit mistaken

// The field from echoes of the slice, or of the volume. Its notes are told once.
std::vector<double> echoField(const Scan& scan, const IterativeOptions& options, const MapPlace& place,
                              std::size_t pixels, std::vector<std::string>& notes, const Progress& progress) {
  if (!options.echoField)
    throw Error("Cannot use the field from the echoes", "it is not found again for this job",
                "Write it to a file with the command field, and give that with field-map");
  for (const std::string& note : options.echoField->provenance)
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  const auto& values = options.echoField->data;
  if (!fieldImages(options.fieldMap).empty()) {
    MapRequest request{options.fieldMap, "", "the field of"};
    request.image = options.echoField.get();
    return realParts(readMaps(scan, request, place, notes, progress), 1);
  }
  const std::size_t first = values.size() > pixels ? std::size_t(place.slice) * pixels : 0;
  std::vector<double> field(pixels);
  for (std::size_t i = 0; i < pixels; ++i) field[i] = values[first + i].real();
  return field;
}

// Phases that the correction of concomitant fields left in the samples.
void addForms(const Scan& scan, const Trajectory& trajectory, const MapPlace& place, SenseProblem& problem,
              std::vector<std::string>& notes) {
  if (trajectory.secondOrder.empty()) return;
  const std::string transform(transformName(problem.transform));
  if (!knowsField(problem.transform) || problem.transform == TransformKind::segmentedToeplitz) {
    notes.push_back("phases of second order stay: transform = " + transform +
                    " does not know them; use segmented, gdft or auto");
    return;
  }
  problem.forms = secondOrderForms(trajectory, scan.geometry.ofFrame(place.frame), std::size_t(place.slice));
  if (!problem.forms.empty())
    notes.push_back("phases of second order (concomitant) of up to " +
                    numberText(largestPhase(problem.forms), 3) + " rad are part of the model");
}

// Without a field the times are left out: scans may have millions of them.
void addField(const Scan& scan, const Trajectory& trajectory, const IterativeOptions& options,
              const MapPlace& place, SenseProblem& problem, std::vector<std::string>& notes,
              const Progress& progress) {
  addForms(scan, trajectory, place, problem, notes);
  if (!knowsField(problem.transform)) {
    if (!options.fieldMap.empty() && options.fieldMap != "none")
      notes.push_back(
          "the field map is not used: transform = " + std::string(transformName(problem.transform)) +
          " has no field; use segmented, gdft or gdftr2");
    return;
  }
  const bool ofEchoes = isFoundField(options.fieldMap);
  const double scale = (options.fieldUnit == FieldUnit::hertz ? twoPi : 1) * (options.turnField ? -1 : 1);
  const auto pixels = std::size_t(product(problem.matrix));
  problem.field = ofEchoes ? echoField(scan, options, place, pixels, notes, progress)
                           : realParts(readMaps(scan, {options.fieldMap, fieldMapArray, "the field map"},
                                                place, notes, progress),
                                       scale);
  if (!options.decayMap.empty())
    problem.decay =
        realParts(readMaps(scan, {options.decayMap, "", "the R2* map"}, place, notes, progress), 1);
  if (!problem.field.empty() || !problem.decay.empty()) problem.times = trajectory.times;
  for (double& t : problem.times) t -= options.timeOriginMs * 1e-3;
  for (const double r : problem.decay)
    if (r < 0)
      throw Error("Cannot use the R2* map", "it holds a negative rate", "Give decay rates in 1/s, from 0");
  if (problem.field.empty() && problem.decay.empty() && problem.transform != TransformKind::gdftR2) {
    if (problem.transform == TransformKind::automatic || !problem.forms.empty()) return;
    if (problem.transform == TransformKind::segmented ||
        problem.transform == TransformKind::segmentedToeplitz)
      throw Error("Cannot correct for the field",
                  "there is no field map: neither a file nor one in the scan's file",
                  "Give one with field-map, or use transform = nufft");
    notes.push_back("no field map: the exact transform without field");
    return;
  }
  if (problem.field.empty()) return;
  const auto [low, high] = std::minmax_element(problem.field.begin(), problem.field.end());
  if (std::max(std::abs(*low), std::abs(*high)) > maxFieldHz * twoPi)
    throw Error("Cannot use the field map",
                "it reaches " + numberText(std::max(std::abs(*low), std::abs(*high)) / twoPi, 3) +
                    " Hz, read as " + (options.fieldUnit == FieldUnit::hertz ? "Hz" : "rad/s"),
                "Check its unit with field-unit; 5 kHz is the most that is taken");
  double last = 0;
  for (const double t : problem.times) last = std::max(last, std::abs(t));
  notes.push_back("field map " + numberText(*low / twoPi, 3) + " ... " + numberText(*high / twoPi, 3) +
                  " Hz (" +
                  std::string(ofEchoes                                ? "from the echoes"
                              : options.fieldUnit == FieldUnit::hertz ? "file in Hz"
                                                                      : "file in rad/s") +
                  (options.turnField && !ofEchoes ? ", sign turned" : "") + "), phase up to " +
                  numberText(std::max(std::abs(*low), std::abs(*high)) * last, 3) + " rad at " +
                  numberText(last * 1e3, 3) + " ms");
  if (problem.transform == TransformKind::gdftR2)
    problem.gradient = fieldGradient(problem.field, problem.matrix, problem.dims, options.gradientMode);
}

// The file's maps belong to the whole scan's shots; the maps of the chosen shots are taken.
void addPhases(const Scan& scan, const Trajectory& t, const IterativeOptions& options, const MapPlace& place,
               SenseProblem& problem, std::vector<std::string>& notes, const Progress& progress) {
  if (options.method != ReconMethod::pcSense) return;
  const bool part = !t.shotNumbers.empty();
  const std::int64_t shots = part ? t.wholeShots : t.shots(), pixels = product(problem.matrix);
  const std::vector<double> maps =
      realParts(readMaps(scan, {options.phaseMaps, "PhaseMaps", "the phase maps", shots, MapKind::phase},
                         place, notes, progress),
                options.turnPhase ? -1 : 1);
  if (maps.empty())
    throw Error("Cannot reconstruct with pcSENSE",
                "there are no phase maps: neither a file nor in the scan's file",
                "Give one map a shot with phase-maps, or use method = sense");
  for (std::int64_t i = 0; i < t.shots(); ++i) {
    const std::int64_t s = part ? t.shotNumbers[std::size_t(i)] : i;
    problem.phases.emplace_back(maps.begin() + s * pixels, maps.begin() + (s + 1) * pixels);
  }
}

// maps [set, coil, pixel] as the samples of the coils were mixed.
std::vector<cfloat> mixed(const std::vector<cfloat>& maps, std::span<const cdouble> mixing,
                          std::int64_t coils, std::int64_t sets) {
  const std::int64_t before = std::int64_t(mixing.size()) / coils,
                     pixels = std::int64_t(maps.size()) / (before * sets);
  std::vector<cfloat> result(std::size_t(sets * coils * pixels));
  for (std::int64_t s = 0; s < sets; ++s)
    for (std::int64_t c = 0; c < coils; ++c)
      for (std::int64_t b = 0; b < before; ++b) {
        const cfloat factor(mixing[std::size_t(c * before + b)]);
        const cfloat* in = maps.data() + (s * before + b) * pixels;
        cfloat* out = result.data() + (s * coils + c) * pixels;
        for (std::int64_t i = 0; i < pixels; ++i) out[i] += factor * in[i];
      }
  return result;
}

void addCoilMaps(TransformBackend& backend, const Scan& scan, std::span<const cdouble> mixing,
                 const IterativeOptions& options, const MapPlace& place, FrameDensities& densities,
                 CoilMapSource& maps, SenseProblem& problem, std::vector<std::string>& notes,
                 const Progress& progress) {
  const auto coils = std::int64_t(problem.coils.size());
  const bool walsh = options.coilMaps == "walsh", named = walsh || options.coilMaps == "espirit";
  problem.mapSets = options.mapSets;
  if (maps.areKnown()) {
    problem.maps = std::exchange(maps.known, {});
    problem.backendMaps = std::exchange(maps.knownToBackend, {});
    return;
  }
  if (!named) {
    const std::int64_t mapCoils = mixing.empty() ? coils : std::int64_t(mixing.size()) / coils;
    problem.maps =
        readMaps(scan, {options.coilMaps, coilMapArray, "the coil maps", options.mapSets * mapCoils}, place,
                 notes, progress);
    if (!problem.maps.empty()) {
      if (!mixing.empty()) problem.maps = mixed(problem.maps, mixing, coils, options.mapSets);
      notes.push_back(options.coilMaps.empty() ? "coil maps of the scan's file" : "coil maps from a file");
      return;
    }
    if (coils == 1 && options.mapSets == 1) {
      problem.maps.assign(std::size_t(product(problem.matrix)), cfloat(1));
      return;
    }
  }
  CoilMapOptions mapOptions;
  mapOptions.method = walsh ? CoilMapMethod::walsh : CoilMapMethod::espirit;
  mapOptions.calibration = options.calibration;
  mapOptions.crop = options.crop;
  mapOptions.sets = options.mapSets;
  if (!walsh && problem.dims == 3 && problem.slabs == 1) backend.expectEspirit();
  const CoilDivision* const divided =
      maps.division && dividesCentre(*maps.division) ? maps.division : nullptr;
  CentreImages centre = meanCentreImages(backend, scan, problem, maps.frames, place.slice, densities,
                                         mapOptions, divided, notes, progress.part(0, 0.5));
  maps.tellSamplesSeen();
  const Progress rest = progress.part(0.5, 1);
  const bool divides = problem.precision == Precision::single && !walsh && coils > 1;
  if (divided && !divides) centre.images = ofAllCoils(centre.images, *divided, rest);
  std::vector<int> empty;
  if (problem.precision == Precision::single && walsh && coils > 1) {
    const WalshPixels pixels = walshPixels(centre, int(coils), problem.matrix, mapOptions);
    if (problem.slabs == 1) problem.backendMaps = backend.walshMaps(pixels, rest);
    if (!problem.backendMaps) problem.maps = walshMaps(pixels, rest);
    empty = pixels.emptyCoils;
  } else if (divides) {
    EspiritPixels pixels = espiritPixels(centre, int(coils), problem.matrix, problem.dims, mapOptions,
                                         divided, rest.part(0, 0.5));
    pixels.division = maps.division;
    if (problem.slabs == 1) problem.backendMaps = backend.espiritMaps(pixels, rest.part(0.5, 1));
    if (!problem.backendMaps) problem.maps = espiritMaps(pixels, rest.part(0.5, 1));
    empty = pixels.emptyCoils;
  } else {
    problem.maps = estimateCoilMaps(centre, int(coils), problem.matrix, problem.dims, mapOptions, rest);
    empty = emptyCoils(centre, int(coils));
  }
  notes.push_back(std::string(mapOptions.sets > 1 ? "two sets of coil maps" : "coil maps") +
                  " estimated from the scan by " + (walsh ? "Walsh's method" : "ESPIRiT"));
  for (const int c : empty) notes.push_back("coil " + std::to_string(c) + " is empty and left out");
}

}  // namespace

SenseProblem transformProblem(const Scan& scan, const Trajectory& trajectory, const JobPlan& job,
                              const MapPlace& place, std::vector<std::string>& notes,
                              const Progress& progress) {
  const Span traced("points and field");
  const ReconOptions& options = job.options;
  const IterativeOptions& iterative = options.iterative;
  SenseProblem problem;
  problem.dims = trajectory.dims;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) problem.matrix[d] = scan.geometry.matrix[d];
  problem.points = SharedValues::at(trajectory.points);
  problem.shotOffsets = trajectory.shotOffsets;
  problem.transform = iterative.transform;
  if (options.exact && problem.transform != TransformKind::gdftR2) problem.transform = TransformKind::gdft;
  problem.interpolator = iterative.interpolator;
  problem.segments = iterative.segments;
  problem.convolutions = iterative.convolutions;
  problem.nufft = options.nufft;
  problem.precision = options.inDouble() ? Precision::double64 : Precision::single;
  problem.batch = job.coilsAtOnce;
  problem.slabs = job.slabs;
  if (iterative.method == ReconMethod::pcSense && trajectory.shots() > 0) problem.shots = {0};
  addField(scan, trajectory, iterative, place, problem, notes, progress);
  return problem;
}

SenseProblem senseProblem(TransformBackend& backend, const Scan& scan, std::span<const cdouble> mixing,
                          const JobPlan& job, int frame, int slice, FrameDensities& densities,
                          CoilMapSource& maps, std::vector<std::string>& notes, const Progress& progress) {
  const ReconOptions& options = job.options;
  const IterativeOptions& iterative = options.iterative;
  const Trajectory& trajectory = scan.trajectory(frame);
  // Maps of files are mixed as the samples were, which takes a copy.
  const double copies = mixing.empty() ? 1 : 2;
  Index3 matrix{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(trajectory.dims); ++d) matrix[d] = scan.geometry.matrix[d];
  requireMemory(
      copies * iterative.mapSets * scan.coils * double(product(matrix)) * sizeof(cfloat),
      "Cannot prepare coil maps of " + scan.name,
      countText(iterative.mapSets * scan.coils, "map", "maps") + " of " + sizeText(matrix, trajectory.dims),
      "Use fewer coils (virtual-coils), or a smaller matrix");
  const DensityWeights& density = densities.of(frame, progress.part(0, 0.2));
  if (estimatesMaps(scan, iterative) && !maps.areKnown()) {
    for (const int other : maps.frames) densities.of(other, progress.part(0.2, 0.3));
  } else {
    maps.tellSamplesSeen();
  }
  const JobTimer timer(JobStage::maps);
  const MapPlace place{frame, slice};
  SenseProblem problem = transformProblem(scan, trajectory, job, place, notes, progress.part(0.3, 0.4));
  problem.shots.clear();
  for (int c = 0; c < scan.coils; ++c)
    problem.coils.push_back(options.inDouble() ? scan.values<double>(frame, slice, c)
                                               : scan.values<float>(frame, slice, c));
  addPhases(scan, trajectory, iterative, place, problem, notes, progress.part(0.4, 0.5));
  if (!job.recipe->findsMaps && !job.recipe->coilImages)
    addCoilMaps(backend, scan, mixing, iterative, place, densities, maps, problem, notes,
                progress.part(0.5, 1));
  if (iterative.dataWeights == DataWeights::density) problem.weights = SharedValues::at(density.values);
  return problem;
}

}  // namespace spokelab
