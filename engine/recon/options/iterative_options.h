// The options of an iterative reconstruction, and their rows of the table of options.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nufft/problem/path.h"
#include "engine/recon/options/gradient_mode.h"
#include "engine/recon/options/idle_rules.h"
#include "engine/recon/options/iteration_watcher.h"
#include "engine/recon/options/solver_options.h"
#include "engine/recon/options/subspace_options.h"

namespace spokelab {

struct Image;
struct ReconOptions;

// Methods beside gridding and sense. Each frame by itself:
//   softSense      two sets of coil maps
//   tv             the image seldom jumps
//   wavelet        the image has few wavelets
//   tgv            the slopes of the image seldom change
//   pnp            a denoiser of the user's regularizes the image
//   pcSense        each shot has a phase map
//   nlinv          image and coil maps are found together
//   coilWavelet    images of all coils together, without maps: few wavelets, at the same places
// All frames of a slice together:
//   grasp          the frames seldom jump in time; xdGrasp: over bins of breathing
//   llr            blocks have a low rank over frames
//   lowRank        the frames are few images that change their share in time
//   lowRankSparse  the sum of a part of low rank and a part of few frequencies in time
//   jointWavelet   few wavelets, at the same places in all frames
//   jointPnp       a denoiser of the user's regularizes the frames
//   subspace, t2Shuffling  the frames are combinations of a few images
//   mrf            combinations of fingerprints, matched to maps of T1 and T2
enum class ReconMethod {
  gridding,
  sense,
  pcSense,
  wavelet,
  grasp,
  llr,
  jointWavelet,
  subspace,
  t2Shuffling,
  lowRankSparse,
  tgv,
  nlinv,
  xdGrasp,
  softSense,
  tv,
  mrf,
  pnp,
  jointPnp,
  coilWavelet,
  lowRank
};
enum class DataWeights { density, none };
enum class FieldUnit { radiansPerSecond, hertz };

inline constexpr double methodsLambda = -1;  // "auto"

struct IterativeOptions {
  ReconMethod method = ReconMethod::gridding;
  TransformKind transform = TransformKind::automatic;
  // 0 iterations and a lambda below 0 mean the method's own (withRecipeDefaults, recipe_table.h).
  IterationOptions solver{0, methodsLambda, 0, Regularization::tikhonov};
  DataWeights dataWeights = DataWeights::density;
  // A file; "": from the scan's file, if the transform can use one; "none"; "echoes": from the
  // scan's echoes; "a.nii,b.nii": from images of echoes (fieldImages).
  std::string fieldMap;
  double fieldSmoothing = 8;  // pixels, of a field from the echoes
  // The field that "echoes" and images of echoes mean, rad/s (explore/scan_field.h); not an option
  // of the table.
  std::shared_ptr<const Image> echoField;
  FieldUnit fieldUnit = FieldUnit::radiansPerSecond;
  bool turnField = false;   // the other sign: dw = -map
  double timeOriginMs = 0;  // time of the samples at which the field's phase is 0
  std::string decayMap;     // R2* in 1/s
  GradientMode gradientMode = GradientMode::physical;
  int segments = 0;      // 0: by the accuracy
  int convolutions = 0;  // of segmented-toeplitz, likewise
  SegmentInterpolator interpolator = SegmentInterpolator::svd;
  std::string coilMaps;  // "": the scan's, else espirit; "espirit", "walsh", or a file
  int calibration = 24;
  double crop = 0.7;     // of ESPIRiT's eigenvalue: maps are 0 below
  int mapSets = 1;       // of coil maps; 2: soft SENSE
  std::string denoiser;  // file of pnp's
  // A caller's denoiser, in place of a file; not an option of the table.
  SharedDenoiser ownDenoiser{};
  std::string phaseMaps;   // pcSENSE: file; "": from the scan's file
  bool turnPhase = false;  // e^{-i phi} instead of e^{+i phi}
  SubspaceOptions subspace;
  IterationWatcher watcher;  // not an option of the table
};

inline constexpr std::string_view fieldOfEchoes = "echoes";  // of the option field-map

inline constexpr std::string_view iterationsGroup = "Iterations";  // of the table: methods that iterate

// The names in a field-map of images of echoes, as in "a.nii,b.nii" or
// "a.nii,b.nii,magnitude=m.nii"; empty: it is something else, as a file whose name has a comma.
struct FieldImages {
  std::vector<std::string> echoes;
  std::string magnitude;
  bool empty() const { return echoes.empty(); }
};
FieldImages fieldImages(const std::string& fieldMap);
// True if the field-map is found from echoes of the scan or from images of echoes.
bool isFoundField(const std::string& fieldMap);

std::string_view reconMethodName(ReconMethod);  // of the table of recipes: "gridding", "sense", ...
std::string_view dataWeightsName(DataWeights);  // "density", "none"
std::string_view fieldUnitName(FieldUnit);      // "Hz", "rad/s"

// The names and help of the rows of the table of recipes that have a name.
std::vector<std::string> methodNames();
std::string methodsHelp();
std::string iterationsHelp();  // "Most iterations; auto: 60 with wavelet, ..., 10 with the others"
std::string lambdaHelp();
std::string lambdaText(const ReconOptions& options);  // a number, or "auto"
void setLambdaText(ReconOptions& options, const std::string& value);
std::string methodOf(const ReconOptions& options);
void setMethod(ReconOptions& options, const std::string& name);

// The rows of the fields above: methods and how they iterate; coils, fields and phases of shots.
template <class Rows>
void addSolverRows(Rows& rows) {
  static constexpr TransformKind transforms[] = {TransformKind::automatic,
                                                 TransformKind::nufft,
                                                 TransformKind::toeplitz,
                                                 TransformKind::segmented,
                                                 TransformKind::segmentedToeplitz,
                                                 TransformKind::gdft,
                                                 TransformKind::gdftR2};
  static constexpr Regularization regularizations[] = {Regularization::tikhonov, Regularization::roughness,
                                                       Regularization::totalVariation};
  static constexpr BlockPlaces blockPlaces[] = {BlockPlaces::random, BlockPlaces::fixed,
                                                BlockPlaces::overlap};
  static constexpr DataWeights weightings[] = {DataWeights::density, DataWeights::none};
  static constexpr WaveletFamily families[] = {WaveletFamily::daubechies4, WaveletFamily::haar};
  static constexpr IterationSolver solvers[] = {IterationSolver::automatic,
                                                IterationSolver::conjugateGradients,
                                                IterationSolver::lsmr,
                                                IterationSolver::fista,
                                                IterationSolver::admm,
                                                IterationSolver::primalDual,
                                                IterationSolver::preconditionedDual};

  const std::string group(iterationsGroup);
  rows.choice("method", "Method", methodNames(), methodsHelp(), group, methodOf, setMethod).essential(1);
  rows.choice(
          "transform", "Transform", transforms, transformName,
          "Transform of the iterations. auto: the fastest that meets the accuracy with the field map, if any; nufft, "
          "toeplitz: without field; segmented: NUFFTs of time segments; segmented-toeplitz: convolutions of "
          "time segments; gdft, gdftr2: exact sums with the field map",
          group, [](auto& o) -> auto& { return o.iterative.transform; })
      .serves({OptionUse::forecast})
      .idle({idle::gridding});
  rows.number(
          "iterations", "Iterations", OptionType::integer, 1, 10000, "", iterationsHelp(), group, true,
          [](auto& o) -> auto& { return o.iterative.solver.iterations; })
      .essential(5)
      .idle({idle::gridding});
  OptionSpec lambda = optionSpec(OptionType::number, "lambda", "Regularization λ", lambdaHelp(), group);
  lambda.maximum = 1e6;
  lambda.automatic = true;
  rows.add(std::move(lambda), lambdaText, setLambdaText)
      .essential(4)
      .idle({idle::gridding, idle::methodFindsMaps});
  rows.choice(
          "regularization", "Regularization", regularizations, regularizationName,
          "tikhonov: small values; roughness: small differences of neighbours; tv: few jumps (total variation)",
          group, [](auto& o) -> auto& { return o.iterative.solver.regularization; })
      .essential(3)
      .serves({OptionUse::forecast})
      .idle({idle::gridding, idle::methodFindsMaps, idle::methodRegularizes, idle::lambdaIsZero});
  rows.choice(
          "solver", "Solver", solvers, solverName,
          "auto: the method's first. sense, soft-sense, pcsense: cg, lsmr (conjugate gradients, or bidiagonalization). "
          "Methods with a proximal map: fista (gradient steps with momentum), admm (alternating directions). wavelet, "
          "tgv, pnp also pdhg (primal-dual steps) and pdhg-kspace (with a preconditioner in k-space: few iterations "
          "without density weights)",
          group, [](auto& o) -> auto& { return o.iterative.solver.solver; })
      .idle({idle::gridding, idle::oneSolver});
  rows.choice(
          "wavelet-family", "Wavelets", families, waveletFamilyName,
          "daubechies4: Daubechies' with four vanishing moments; haar: steps", group,
          [](auto& o) -> auto& { return o.iterative.solver.family; })
      .idle({idle::gridding, idle::noWavelets, idle::lambdaIsZero});
  rows.flag(
          "wavelet-shifts", "Shift wavelets",
          "wavelet, joint-wavelet: turn the image by another number of pixels in each iteration, so that no blocks "
          "show",
          group, [](auto& o) -> auto& { return o.iterative.solver.randomShifts; })
      .idle({idle::gridding, idle::noWavelets, idle::lambdaIsZero});
  rows.number(
          "llr-block", "Block of low rank", OptionType::integer, 2, 64, "pixels",
          "llr: pixels of a block along each axis; a block's frames are few curves", group, false,
          [](auto& o) -> auto& { return o.iterative.solver.block; })
      .idle({idle::gridding, idle::noBlocks, idle::lambdaIsZero});
  rows.choice(
          "llr-places", "Places of blocks", blockPlaces, blockPlacesName,
          "llr. random: elsewhere in each iteration; fixed: at the same places, which show; overlap: the mean over "
          "places half a block apart, four times the work in 2-D, eight times in 3-D",
          group, [](auto& o) -> auto& { return o.iterative.solver.blockPlaces; })
      .idle({idle::gridding, idle::noBlocks, idle::lambdaIsZero});
  rows.number(
          "low-rank-weight", "Weight of low rank", OptionType::number, 0.001, 1000, "",
          "l+s: weight of the part of low rank over the sparse part; 1 balances them. Larger: more is sparse",
          group, false, [](auto& o) -> auto& { return o.iterative.solver.lowRankWeight; })
      .idle({idle::gridding, idle::noLowRankPart, idle::lambdaIsZero});
  rows.number(
          "spatial-weight", "Weight of spatial jumps", OptionType::number, 0, 1000, "",
          "grasp, xd-grasp: weight of jumps between neighbouring pixels over jumps between frames; 0: none",
          group, false, [](auto& o) -> auto& { return o.iterative.solver.spatialWeight; })
      .idle({idle::gridding, idle::noJumpsInTime, idle::lambdaIsZero});
  rows.text(
          "denoiser", "Denoiser",
          "pnp, joint-pnp: file of the denoiser, a plug-in in C (.so) or Python (.py), or an ONNX model (.onnx)",
          group, "none", [](auto& o) -> auto& { return o.iterative.denoiser; })
      .file()
      .idle({idle::noDenoiser});
  rows.number(
          "frame-prior", "Prior of the last frame", OptionType::number, 0, 1, "",
          "nlinv: share of the last frame's image and maps that the next frame starts from and is drawn to, as in real "
          "time (0.9); 0: each frame by itself",
          group, false, [](auto& o) -> auto& { return o.iterative.solver.framePrior; })
      .idle({idle::notNlinv});
  rows.number(
          "tolerance", "Tolerance", OptionType::number, 0, 1, "",
          "Stop where the residual of the normal equations, relative, is below; 0: never", group, false,
          [](auto& o) -> auto& { return o.iterative.solver.tolerance; })
      .idle({idle::gridding});
  rows.number(
          "least-change", "Least change", OptionType::number, 0, 1, "",
          "Stop where an iteration changes the image, relative, by less; 0: never", group, false,
          [](auto& o) -> auto& { return o.iterative.solver.minChange; })
      .idle({idle::gridding, idle::methodFindsMaps});
  rows.number(
          "iteration-seconds", "Longest iterations", OptionType::number, 0, 1e6, "s",
          "Stop the iterations of an image after this time; 0: never", group, false,
          [](auto& o) -> auto& { return o.iterative.solver.maxSeconds; })
      .idle({idle::gridding, idle::reproducibleRun});
  rows.choice(
          "data-weights", "Data weights", weightings, dataWeightsName,
          "density: samples count by their k-space area, few iterations do; none: every sample counts the same, "
          "least noise",
          group, [](auto& o) -> auto& { return o.iterative.dataWeights; })
      .idle({idle::gridding});
}

template <class Rows>
void addMapRows(Rows& rows) {
  static constexpr SegmentInterpolator interpolators[] = {
      SegmentInterpolator::hanning, SegmentInterpolator::minMax, SegmentInterpolator::svd};
  static constexpr FieldUnit units[] = {FieldUnit::radiansPerSecond, FieldUnit::hertz};
  static constexpr GradientMode gradients[] = {GradientMode::physical, GradientMode::powerGrid2020};

  const std::string coils = "Coils", field = "Field", shots = "Shots";
  rows.text(
          "coil-maps", "Coil maps",
          "espirit or walsh: estimated from the scan; or a file (NIfTI, .h5, .npy, .cfl); empty: the scan "
          "file's, else espirit",
          coils, "the scan's, else espirit", [](auto& o) -> auto& { return o.iterative.coilMaps; })
      .essential(6)
      .serves({OptionUse::forecast})
      .file()
      .idle({idle::gridding, idle::methodFindsMaps, idle::coilImages});
  rows.number(
          "coil-calibration", "Calibration width", OptionType::integer, 8, 128, "cycles/FOV",
          "Width of the centre of k-space that coil maps are estimated from", coils, false,
          [](auto& o) -> auto& { return o.iterative.calibration; })
      .idle({idle::gridding, idle::methodFindsMaps, idle::coilImages, idle::mapsAreFile});
  rows.number(
          "coil-crop", "Crop of coil maps", OptionType::number, 0, 1, "",
          "ESPIRiT: maps are 0 where the eigenvalue is smaller; 0 keeps all, 0.9 crops to the object", coils,
          false, [](auto& o) -> auto& { return o.iterative.crop; })
      .idle({idle::gridding, idle::methodFindsMaps, idle::coilImages, idle::mapsAreFile, idle::mapsAreWalsh});
  rows.number(
          "coil-map-sets", "Sets of coil maps", OptionType::integer, 1, 2, "",
          "2: soft SENSE, for objects that reach beyond the field of view (ESPIRiT, or a file that holds both)",
          coils, false, [](auto& o) -> auto& { return o.iterative.mapSets; })
      .serves({OptionUse::forecast})
      .idle({idle::gridding, idle::methodFindsMaps, idle::coilImages, idle::softSense});
  rows.text(
          "field-map", "Field map",
          "Off-resonance, a file (NIfTI, .h5, .npy, .cfl); echoes: from the echoes of the scan; two or more images "
          "of echoes, as in phase1.nii,phase2.nii,magnitude=m.nii; empty: the scan file's, if it has one; none: no "
          "field",
          field, "the scan's", [](auto& o) -> auto& { return o.iterative.fieldMap; })
      .essential(7)
      .file()
      .idle({idle::gridding, idle::transformWithoutField});
  rows.choice(
          "field-unit", "Unit of the field map", units, fieldUnitName, "Unit of the file's values", field,
          [](auto& o) -> auto& { return o.iterative.fieldUnit; })
      .idle({idle::gridding, idle::transformWithoutField, idle::fieldIsNone, idle::fieldOfTheEchoes});
  rows.flag(
          "turn-field", "Flip the field's sign",
          "Use the field map with the other sign; s = sum m e^{-i(2 pi k.r + dw t)} is the convention", field,
          [](auto& o) -> auto& { return o.iterative.turnField; })
      .idle({idle::gridding, idle::transformWithoutField, idle::fieldIsNone, idle::fieldOfTheEchoes});
  rows.number(
          "time-origin", "Time origin", OptionType::number, -1e4, 1e4, "ms",
          "Time of the samples at which the field has made no phase yet", field, false,
          [](auto& o) -> auto& { return o.iterative.timeOriginMs; })
      .idle({idle::gridding, idle::transformWithoutField});
  rows.number(
          "field-smoothing", "Smoothing of the echoes' field", OptionType::number, 1, 1000, "pixels",
          "Waves of this length in a field from the echoes keep half their height where the signal is ordinary; less "
          "where it is weak",
          field, false, [](auto& o) -> auto& { return o.iterative.fieldSmoothing; })
      .idle({idle::gridding, idle::transformWithoutField, idle::fieldNotOfEchoes});
  rows.text(
          "decay-map", "R2* map", "Decay in 1/s, a file; empty: none (transforms gdft, gdftr2)", field,
          "none", [](auto& o) -> auto& { return o.iterative.decayMap; })
      .file()
      .idle({idle::gridding, idle::transformWithoutField});
  rows.choice(
          "gradient-mode", "In-voxel gradients", gradients, gradientModeName,
          "gdftr2. physical: cycles/s per voxel; powergrid-2020: as that program's code of 2020 computes them",
          field, [](auto& o) -> auto& { return o.iterative.gradientMode; })
      .idle({idle::gridding, idle::noGradients});
  rows.number(
          "segments", "Time segments", OptionType::integer, 1, 96, "",
          "Segments of the segmented transform; auto: by the accuracy", field, true,
          [](auto& o) -> auto& { return o.iterative.segments; })
      .idle({idle::gridding, idle::noSegments});
  rows.number(
          "convolutions", "Convolutions", OptionType::integer, 1, 96, "",
          "Convolutions in the normal operator of the transform segmented-toeplitz; auto: by the accuracy",
          field, true, [](auto& o) -> auto& { return o.iterative.convolutions; })
      .idle({idle::gridding, idle::noConvolutions});
  rows.choice(
          "interpolator", "Segment interpolator", interpolators, interpolatorName,
          "svd: the fewest segments; min-max: least squares at fixed times; hanning: raised cosines", field,
          [](auto& o) -> auto& { return o.iterative.interpolator; })
      .idle({idle::gridding, idle::noSegments});
  rows.text(
          "phase-maps", "Phase maps", "pcsense: one map a shot in rad, a file; empty: the scan file's", shots,
          "the scan's", [](auto& o) -> auto& { return o.iterative.phaseMaps; })
      .file()
      .idle({idle::notPcSense});
  rows.flag(
          "turn-phase", "Flip the phase's sign", "pcsense: e^{-i phi} in place of e^{+i phi}", shots,
          [](auto& o) -> auto& { return o.iterative.turnPhase; })
      .idle({idle::notPcSense});
}

}  // namespace spokelab
