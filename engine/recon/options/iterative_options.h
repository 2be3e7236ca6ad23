// The options of an iterative reconstruction, and their rows of the table of options.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/option_table.h"
#include "engine/nufft/problem/path.h"
#include "engine/recon/options/gradient_mode.h"
#include "engine/recon/options/iteration_watcher.h"
#include "engine/recon/options/solver_options.h"
#include "engine/recon/options/subspace_options.h"

namespace spokelab {

struct Image;
struct ReconOptions;

// softSense: two sets of coil maps. tv: SENSE whose image seldom jumps. xdGrasp: grasp over bins of
// breathing. wavelet: SENSE whose image has few wavelets; tgv: whose
// slopes seldom change. All frames together: grasp, which seldom jump; llr, whose blocks have a low
// rank; jointWavelet, whose few wavelets are at the same places; subspace, t2Shuffling:
// combinations of a few images; lowRankSparse, a sum of a part of low rank and one of few
// frequencies in time. nlinv: image and coil maps together. mrf:
// combinations of fingerprints, matched to maps of T1 and T2. pnp, jointPnp: SENSE whose image, or
// whose frames together, a denoiser of the user's regularizes. coilWavelet: images of all coils
// together, without maps, whose few wavelets are at the same places.
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
  coilWavelet
};
enum class DataWeights { density, none };
enum class FieldUnit { radiansPerSecond, hertz };

struct IterativeOptions {
  ReconMethod method = ReconMethod::gridding;
  TransformKind transform = TransformKind::automatic;
  IterationOptions solver{10, 1e-3, 0, Regularization::tikhonov};
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
  // Of a caller, in place of a file; not an option of the table.
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

void addIterativeOptions(OptionTable<ReconOptions>& table);

std::string_view reconMethodName(ReconMethod);  // of the table of recipes: "gridding", "sense", ...

}  // namespace spokelab
