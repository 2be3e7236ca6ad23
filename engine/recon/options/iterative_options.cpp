#include "engine/recon/options/iterative_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

constexpr double maxIterations = 10000;
constexpr TransformKind transforms[] = {
    TransformKind::automatic,         TransformKind::nufft, TransformKind::toeplitz, TransformKind::segmented,
    TransformKind::segmentedToeplitz, TransformKind::gdft,  TransformKind::gdftR2};
constexpr Regularization regularizations[] = {Regularization::tikhonov, Regularization::roughness,
                                              Regularization::totalVariation};
constexpr BlockPlaces blockPlaces[] = {BlockPlaces::random, BlockPlaces::fixed, BlockPlaces::overlap};
constexpr SegmentInterpolator interpolators[] = {SegmentInterpolator::hanning, SegmentInterpolator::minMax,
                                                 SegmentInterpolator::svd};

std::string_view weightsName(DataWeights w) {
  return w == DataWeights::density ? "density" : "none";
}
std::string_view unitName(FieldUnit u) {
  return u == FieldUnit::hertz ? "Hz" : "rad/s";
}
constexpr DataWeights weightings[] = {DataWeights::density, DataWeights::none};
constexpr FieldUnit units[] = {FieldUnit::radiansPerSecond, FieldUnit::hertz};
constexpr GradientMode gradients[] = {GradientMode::physical, GradientMode::powerGrid2020};

// The rows of the recipes' table that have a name.
void addMethod(OptionTable<ReconOptions>& table, const std::string& group) {
  std::vector<std::string> names;
  std::string help;
  for (const Recipe& recipe : recipeTable()) {
    if (recipe.name.empty()) continue;
    names.emplace_back(recipe.name);
    help += (help.empty() ? "" : "; ") + std::string(recipe.name) + ": " + std::string(recipe.help);
  }
  table.choice(
      "method", "Method", std::move(names), std::move(help), group,
      [](const ReconOptions& o) { return std::string(reconMethodName(o.iterative.method)); },
      [](ReconOptions& o, const std::string& name) {
        for (const Recipe& recipe : recipeTable())
          if (recipe.name == name) o.iterative.method = recipe.method;
      });
}

// "Most iterations; the default stands for 60 with wavelet, 150 with grasp"
std::string defaultIterations() {
  std::string text = "Most iterations; the default stands for";
  std::string_view comma = " ";
  for (const Recipe& recipe : recipeTable())
    for (const RecipeDefault& set : recipe.defaults)
      if (set.option == "iterations" && !recipe.name.empty()) {
        text += std::string(comma) + std::string(set.value) + " with " + std::string(recipe.name);
        comma = ", ";
      }
  return text;
}

void addSolver(OptionTable<ReconOptions>& table) {
  const std::string group(iterationsGroup);
  addMethod(table, group);
  table.choice(
      "transform", "Transform", transforms, transformName,
      "Transform of the iterations. auto: the fastest that meets the accuracy with the field map, if any; nufft, "
      "toeplitz: without field; segmented: NUFFTs of time segments; segmented-toeplitz: convolutions of "
      "time segments; gdft, gdftr2: exact sums with the field map",
      group, [](auto& o) -> auto& { return o.iterative.transform; });
  table.number(
      "iterations", "Iterations", OptionType::integer, 1, maxIterations, "", defaultIterations(), group,
      false, [](auto& o) -> auto& { return o.iterative.solver.iterations; });
  table.number(
      "lambda", "Regularization λ", OptionType::number, 0, 1e6, "",
      "Weight of the regularization, scaled so that it carries over between scans; 0: none", group, false,
      [](auto& o) -> auto& { return o.iterative.solver.lambda; });
  table.choice(
      "regularization", "Regularization", regularizations, regularizationName,
      "tikhonov: small values; roughness: small differences of neighbours; tv: few jumps (total variation)",
      group, [](auto& o) -> auto& { return o.iterative.solver.regularization; });
  table.flag(
      "wavelet-shifts", "Shift wavelets",
      "wavelet, joint-wavelet: turn the image by another number of pixels in each iteration, so that no blocks "
      "show",
      group, [](auto& o) -> auto& { return o.iterative.solver.randomShifts; });
  table.number(
      "llr-block", "Block of low rank", OptionType::integer, 2, 64, "pixels",
      "llr: pixels of a block along each axis; a block's frames are few curves", group, false,
      [](auto& o) -> auto& { return o.iterative.solver.block; });
  table.choice(
      "llr-places", "Places of blocks", blockPlaces, blockPlacesName,
      "llr. random: elsewhere in each iteration; fixed: at the same places, which show; overlap: the mean over "
      "places half a block apart, four times the work in 2-D, eight times in 3-D",
      group, [](auto& o) -> auto& { return o.iterative.solver.blockPlaces; });
  table.number(
      "low-rank-weight", "Weight of low rank", OptionType::number, 0.001, 1000, "",
      "l+s: weight of the part of low rank over the sparse part; 1 balances them. Larger: more is sparse",
      group, false, [](auto& o) -> auto& { return o.iterative.solver.lowRankWeight; });
  table.text(
      "denoiser", "Denoiser",
      "pnp, joint-pnp: file of the denoiser, a plug-in in C (.so) or Python (.py), or an ONNX model (.onnx)",
      group, "none", [](auto& o) -> auto& { return o.iterative.denoiser; });
  table.number(
      "frame-prior", "Prior of the last frame", OptionType::number, 0, 1, "",
      "nlinv: share of the last frame's image and maps that the next frame starts from and is drawn to, as in real "
      "time (0.9); 0: each frame by itself",
      group, false, [](auto& o) -> auto& { return o.iterative.solver.framePrior; });
  table.number(
      "tolerance", "Tolerance", OptionType::number, 0, 1, "",
      "Stop where the residual of the normal equations, relative, is below; 0: never", group, false,
      [](auto& o) -> auto& { return o.iterative.solver.tolerance; });
  table.number(
      "least-change", "Least change", OptionType::number, 0, 1, "",
      "Stop where an iteration changes the image, relative, by less; 0: never", group, false,
      [](auto& o) -> auto& { return o.iterative.solver.minChange; });
  table.number(
      "iteration-seconds", "Longest iterations", OptionType::number, 0, 1e6, "s",
      "Stop the iterations of an image after this time; 0: never", group, false,
      [](auto& o) -> auto& { return o.iterative.solver.maxSeconds; });
  table.choice(
      "data-weights", "Data weights", weightings, weightsName,
      "density: samples count by their k-space area, few iterations do; none: every sample counts the same, "
      "least noise",
      group, [](auto& o) -> auto& { return o.iterative.dataWeights; });
}

void addMaps(OptionTable<ReconOptions>& table) {
  const std::string coils = "Coils", field = "Field", shots = "Shots";
  table.text(
      "coil-maps", "Coil maps",
      "espirit or walsh: estimated from the scan; or a file (NIfTI, .h5, .npy, .cfl); empty: the scan "
      "file's, else espirit",
      coils, "the scan's, else espirit", [](auto& o) -> auto& { return o.iterative.coilMaps; });
  table.number(
      "coil-calibration", "Calibration width", OptionType::integer, 8, 128, "cycles/FOV",
      "Width of the centre of k-space that coil maps are estimated from", coils, false,
      [](auto& o) -> auto& { return o.iterative.calibration; });
  table.number(
      "coil-crop", "Crop of coil maps", OptionType::number, 0, 1, "",
      "ESPIRiT: maps are 0 where the eigenvalue is smaller; 0 keeps all, 0.9 crops to the object", coils,
      false, [](auto& o) -> auto& { return o.iterative.crop; });
  table.number(
      "coil-map-sets", "Sets of coil maps", OptionType::integer, 1, 2, "",
      "2: soft SENSE, for objects that reach beyond the field of view (ESPIRiT, or a file that holds both)",
      coils, false, [](auto& o) -> auto& { return o.iterative.mapSets; });
  table.text(
      "field-map", "Field map",
      "Off-resonance, a file (NIfTI, .h5, .npy, .cfl); echoes: from the echoes of the scan; two or more images "
      "of echoes, as in phase1.nii,phase2.nii,magnitude=m.nii; empty: the scan file's, if it has one; none: no "
      "field",
      field, "the scan's", [](auto& o) -> auto& { return o.iterative.fieldMap; });
  table.choice(
      "field-unit", "Unit of the field map", units, unitName, "Unit of the file's values", field,
      [](auto& o) -> auto& { return o.iterative.fieldUnit; });
  table.flag(
      "turn-field", "Flip the field's sign",
      "Use the field map with the other sign; s = sum m e^{-i(2 pi k.r + dw t)} is the convention", field,
      [](auto& o) -> auto& { return o.iterative.turnField; });
  table.number(
      "time-origin", "Time origin", OptionType::number, -1e4, 1e4, "ms",
      "Time of the samples at which the field has made no phase yet", field, false,
      [](auto& o) -> auto& { return o.iterative.timeOriginMs; });
  table.number(
      "field-smoothing", "Smoothing of the echoes' field", OptionType::number, 1, 1000, "pixels",
      "Waves of this length in a field from the echoes keep half their height where the signal is ordinary; less "
      "where it is weak",
      field, false, [](auto& o) -> auto& { return o.iterative.fieldSmoothing; });
  table.text(
      "decay-map", "R2* map", "Decay in 1/s, a file; empty: none (transforms gdft, gdftr2)", field, "none",
      [](auto& o) -> auto& { return o.iterative.decayMap; });
  table.choice(
      "gradient-mode", "In-voxel gradients", gradients, gradientModeName,
      "gdftr2. physical: cycles/s per voxel; powergrid-2020: as that program's code of 2020 computes them",
      field, [](auto& o) -> auto& { return o.iterative.gradientMode; });
  table.number(
      "segments", "Time segments", OptionType::integer, 1, 96, "",
      "Segments of the segmented transform; auto: by the accuracy", field, true,
      [](auto& o) -> auto& { return o.iterative.segments; });
  table.number(
      "convolutions", "Convolutions", OptionType::integer, 1, 96, "",
      "Convolutions in the normal operator of the transform segmented-toeplitz; auto: by the accuracy", field,
      true, [](auto& o) -> auto& { return o.iterative.convolutions; });
  table.choice(
      "interpolator", "Segment interpolator", interpolators, interpolatorName,
      "svd: the fewest segments; min-max: least squares at fixed times; hanning: raised cosines", field,
      [](auto& o) -> auto& { return o.iterative.interpolator; });
  table.text(
      "phase-maps", "Phase maps", "pcsense: one map a shot in rad, a file; empty: the scan file's", shots,
      "the scan's", [](auto& o) -> auto& { return o.iterative.phaseMaps; });
  table.flag(
      "turn-phase", "Turn the phase's sign", "pcsense: e^{-i phi} in place of e^{+i phi}", shots,
      [](auto& o) -> auto& { return o.iterative.turnPhase; });
}

}  // namespace

FieldImages fieldImages(const std::string& fieldMap) {
  FieldImages images;
  std::error_code missing;
  if (fieldMap.find(',') == std::string::npos || std::filesystem::exists(fieldMap, missing)) return images;
  const std::string magnitude = "magnitude=";
  for (std::size_t begin = 0; begin <= fieldMap.size();) {
    const std::size_t end = std::min(fieldMap.find(',', begin), fieldMap.size());
    const std::string name = fieldMap.substr(begin, end - begin);
    if (name.starts_with(magnitude))
      images.magnitude = name.substr(magnitude.size());
    else if (!name.empty())
      images.echoes.push_back(name);
    begin = end + 1;
  }
  return images;
}

bool isFoundField(const std::string& fieldMap) {
  return fieldMap == fieldOfEchoes || !fieldImages(fieldMap).empty();
}

void addIterativeOptions(OptionTable<ReconOptions>& table) {
  addSolver(table);
  addMaps(table);
  addSubspaceOptions(table);
}

std::string_view reconMethodName(ReconMethod method) {
  return recipeOf(method).name;
}

}  // namespace spokelab
