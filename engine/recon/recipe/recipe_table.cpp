#include "engine/recon/options/recipe_table.h"

#include <algorithm>
#include <array>

#include "engine/core/text.h"
#include "engine/recon/functional/denoiser/denoiser_process.h"
#include "engine/recon/model/models.h"
#include "engine/recon/options/options.h"
#include "engine/recon/options/solver_choice.h"
#include "engine/recon/run/gridding/gridding_run.h"
#include "engine/recon/run/sense/coil_images.h"
#include "engine/recon/run/sense/joint_frames.h"
#include "engine/recon/run/sense/sense_frames.h"

namespace spokelab {
namespace {

bool regularizesByVariation(const ReconOptions& options) {
  const IterationOptions& solver = options.iterative.solver;
  return solver.regularization == Regularization::totalVariation && solver.lambda != 0;
}

bool variesInSpace(const ReconOptions& options) {
  return options.iterative.solver.regularization == Regularization::totalVariation;
}

bool jumpsInSpace(const ReconOptions& options) {
  return options.iterative.solver.spatialWeight > 0;
}

// Iterations that come within 1 % of the smallest objective
// (resources/developer/measurements/recipes.md).
constexpr RecipeDefault waveletDefaults[] = {{"iterations", "60"}};
constexpr RecipeDefault graspDefaults[] = {{"iterations", "150"}};
constexpr RecipeDefault lowRankSparseDefaults[] = {{"iterations", "200"}};
constexpr RecipeDefault hundredIterations[] = {{"iterations", "100"}};
constexpr RecipeDefault subspaceDefaults[] = {{"iterations", "30"}};
constexpr RecipeDefault softSenseDefaults[] = {{"coil-map-sets", "2"}};
constexpr RecipeDefault variationDefaults[] = {{"iterations", "60"}};
constexpr RecipeDefault mrfDefaults[] = {{"iterations", "30"}, {"subspace-images", "maps"}};
constexpr RecipeDefault denoiserDefaults[] = {{"iterations", "60"}, {"lambda", "0.01"}};
constexpr RecipeDefault nlinvDefaults[] = {{"iterations", "9"}};
constexpr RecipeDefault otherDefaults[] = {
    {"iterations", "10"}, {"lambda", "0.001"}, {"subspace-images", "frames"}};

// The first row of a method has its name; of several that serve the last is taken.
const auto& rows() {
  static const std::array all{
      Recipe{.method = ReconMethod::gridding,
             .name = "gridding",
             .title = "gridding",
             .help = "one weighted adjoint",
             .words = "gridding",
             .iterates = false,
             .model = imageModel,
             .functional = "",
             .solver = "weighted adjoint",
             .run = griddingRun},
      Recipe{.method = ReconMethod::gridding,
             .words = "gridding by exact sums",
             .serves = [](const ReconOptions& o) { return o.exact; },
             .iterates = false,
             .model = imageModel,
             .functional = "",
             .solver = "weighted adjoint",
             .run = exactRun},
      Recipe{.method = ReconMethod::sense,
             .name = "sense",
             .title = "SENSE",
             .help = "iterative with coil maps",
             .words = "SENSE",
             .model = coilModel,
             .functional = "quadratic",
             .solver = "conjugate gradients",
             .run = senseFrames},
      Recipe{.method = ReconMethod::sense,
             .words = "soft SENSE",
             .serves = [](const ReconOptions& o) { return o.iterative.mapSets > 1; },
             .model = coilModel,
             .functional = "quadratic",
             .solver = "conjugate gradients",
             .run = senseFrames},
      Recipe{.method = ReconMethod::sense,
             .words = "SENSE with total variation",
             .serves = regularizesByVariation,
             .model = coilModel,
             .functional = "total variation",
             .solver = "split of differences",
             .run = senseFrames},
      Recipe{.method = ReconMethod::softSense,
             .name = "soft-sense",
             .title = "soft SENSE",
             .help = "sense with two sets of coil maps, for objects beyond the field of view",
             .words = "soft SENSE",
             .model = coilModel,
             .functional = "quadratic",
             .solver = "conjugate gradients",
             .defaults = softSenseDefaults,
             .run = senseFrames},
      Recipe{.method = ReconMethod::tv,
             .name = "tv",
             .title = "TV",
             .help = "sense with few jumps (total variation)",
             .words = "SENSE with total variation",
             .model = coilModel,
             .functional = "total variation",
             .solver = "split of differences",
             .regularization = Regularization::totalVariation,
             .defaults = variationDefaults,
             .run = senseFrames},
      Recipe{.method = ReconMethod::pcSense,
             .name = "pcsense",
             .title = "pcSENSE",
             .help = "and a phase map a shot",
             .words = "pcSENSE",
             .model = shotModel,
             .functional = "quadratic",
             .solver = "conjugate gradients",
             .run = senseFrames},
      Recipe{.method = ReconMethod::wavelet,
             .name = "wavelet",
             .title = "wavelets",
             .help = "sense with few wavelets",
             .words = "SENSE with l1 of wavelets",
             .model = coilModel,
             .functional = "l1 of wavelets",
             .solver = "FISTA",
             .regularization = Regularization::wavelets,
             .defaults = waveletDefaults,
             .run = senseFrames},
      Recipe{.method = ReconMethod::tgv,
             .name = "tgv",
             .title = "TGV",
             .help = "sense with few changes of slopes (total generalized variation)",
             .words = "SENSE with total generalized variation",
             .model = coilModel,
             .functional = "total generalized variation of second order",
             .solver = "FISTA, primal-dual steps for the proximal map",
             .regularization = Regularization::generalizedVariation,
             .defaults = waveletDefaults,
             .run = senseFrames},
      Recipe{.method = ReconMethod::grasp,
             .name = "grasp",
             .title = "GRASP",
             .help = "all frames together, with few jumps in time",
             .words = "SENSE of all frames with total variation along time",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "total variation along time",
             .solver = "FISTA",
             .regularization = Regularization::temporalVariation,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::xdGrasp,
             .name = "xd-grasp",
             .title = "XD-GRASP",
             .help = "all bins of breathing together, with few jumps from bin to bin",
             .words = "SENSE of all bins of breathing with total variation from bin to bin",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "total variation along bins of breathing",
             .solver = "FISTA",
             .regularization = Regularization::temporalVariation,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::grasp,
             .title = "GRASP",
             .words = "SENSE of all frames with total variation along time and in space",
             .serves = jumpsInSpace,
             .joinsFrames = true,
             .model = coilModel,
             .functional = "total variation along time and in space",
             .solver = "FISTA",
             .regularization = Regularization::temporalVariation,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::xdGrasp,
             .title = "XD-GRASP",
             .words = "SENSE of all bins of breathing with total variation from bin to bin and in space",
             .serves = jumpsInSpace,
             .joinsFrames = true,
             .model = coilModel,
             .functional = "total variation along bins of breathing and in space",
             .solver = "FISTA",
             .regularization = Regularization::temporalVariation,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::lowRank,
             .name = "low-rank",
             .title = "low rank",
             .help = "all frames together, as few images that change their share in time",
             .words = "SENSE of all frames with a nuclear norm",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "nuclear norm of all frames",
             .solver = "FISTA",
             .regularization = Regularization::lowRank,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::llr,
             .name = "llr",
             .title = "LLR",
             .help = "all frames together, with blocks of low rank",
             .words = "SENSE of all frames with blocks of low rank",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "nuclear norms of blocks over frames",
             .solver = "FISTA",
             .regularization = Regularization::locallyLowRank,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::jointWavelet,
             .name = "joint-wavelet",
             .title = "joint wavelets",
             .help = "all frames together, with few wavelets at the same places",
             .words = "SENSE of all frames with joint l1 of wavelets",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "joint l1 of wavelets over frames",
             .solver = "FISTA",
             .regularization = Regularization::jointWavelets,
             .defaults = graspDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::coilWavelet,
             .name = "coil-wavelet",
             .title = "coil wavelets",
             .help = "images of all coils together, without coil maps, with few wavelets at the same places",
             .words = "images of all coils with joint l1 of wavelets, without coil maps",
             .coilImages = true,
             .model = coilImageModel,
             .functional = "joint l1 of wavelets over coils",
             .solver = "FISTA",
             .regularization = Regularization::jointWavelets,
             .defaults = hundredIterations,
             .run = coilImages},
      Recipe{.method = ReconMethod::nlinv,
             .name = "nlinv",
             .title = "NLINV",
             .help = "image and coil maps together",
             .words = "image and coil maps by nonlinear inversion",
             .findsMaps = true,
             .model = coilModel,
             .functional = "smooth maps, less in each step",
             .solver = "regularised Gauss-Newton, conjugate gradients inside",
             .defaults = nlinvDefaults,
             .run = senseFrames},
      Recipe{.method = ReconMethod::subspace,
             .name = "subspace",
             .title = "subspace",
             .help = "all frames together, as combinations of a few images",
             .words = "SENSE of coefficients of a temporal basis",
             .joinsFrames = true,
             .usesBasis = true,
             .model = subspaceModel,
             .functional = "quadratic",
             .solver = "conjugate gradients",
             .defaults = subspaceDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::subspace,
             .title = "subspace",
             .words = "SENSE of coefficients of a temporal basis with total variation",
             .serves = variesInSpace,
             .joinsFrames = true,
             .usesBasis = true,
             .model = subspaceModel,
             .functional = "total variation of each coefficient",
             .solver = "FISTA",
             .defaults = waveletDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::t2Shuffling,
             .name = "t2-shuffling",
             .title = "T2 shuffling",
             .help = "subspace of decays by T2, with blocks of low rank",
             .words = "SENSE of coefficients of decays by T2 with blocks of low rank",
             .joinsFrames = true,
             .usesBasis = true,
             .model = subspaceModel,
             .functional = "nuclear norms of blocks over coefficients",
             .solver = "FISTA",
             .regularization = Regularization::locallyLowRank,
             .defaults = hundredIterations,
             .run = jointFrames},
      Recipe{.method = ReconMethod::mrf,
             .name = "mrf",
             .title = "MRF",
             .help = "subspace of fingerprints, and maps of T1 and T2 by the ones that match",
             .words = "SENSE of coefficients of fingerprints, matched with their dictionary",
             .joinsFrames = true,
             .usesBasis = true,
             .matchesFingerprints = true,
             .model = subspaceModel,
             .functional = "quadratic",
             .solver = "conjugate gradients",
             .defaults = mrfDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::lowRankSparse,
             .name = "l+s",
             .title = "L+S",
             .help = "all frames together, a part of low rank and one of few frequencies in time",
             .words = "SENSE of all frames as low rank and sparse parts",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "nuclear norm and l1 of frequencies in time",
             .solver = "FISTA",
             .regularization = Regularization::lowRankSparse,
             .defaults = lowRankSparseDefaults,
             .run = jointFrames},
      Recipe{.method = ReconMethod::pnp,
             .name = "pnp",
             .title = "plug and play",
             .help = "sense with a denoiser of your own",
             .words = "SENSE with a denoiser",
             .model = coilModel,
             .functional = "denoiser",
             .solver = "FISTA",
             .regularization = Regularization::denoiser,
             .defaults = denoiserDefaults,
             .run = senseFrames},
      Recipe{.method = ReconMethod::jointPnp,
             .name = "joint-pnp",
             .title = "joint plug and play",
             .help = "all frames together, with a denoiser of your own",
             .words = "SENSE of all frames with a denoiser",
             .joinsFrames = true,
             .model = coilModel,
             .functional = "denoiser of all frames",
             .solver = "FISTA",
             .regularization = Regularization::denoiser,
             .defaults = denoiserDefaults,
             .run = jointFrames},
  };
  return all;
}

}  // namespace

std::span<const Recipe> recipeTable() {
  return rows();
}

std::string iteratingMethods() {
  std::vector<std::string> names;
  for (const Recipe& row : rows())
    if (row.iterates && !row.name.empty()) names.emplace_back(row.name);
  return joined(names);
}

const Recipe& recipeOf(ReconMethod method) {
  return *std::find_if(rows().begin(), rows().end(),
                       [method](const Recipe& r) { return r.method == method; });
}

const Recipe& recipeOf(const ReconOptions& options) {
  const Recipe* found = &recipeOf(options.iterative.method);
  for (const Recipe& row : rows())
    if (row.method == options.iterative.method && row.serves && row.serves(options)) found = &row;
  return *found;
}

std::span<const RecipeDefault> commonDefaults() {
  return otherDefaults;
}

ReconOptions withRecipeDefaults(ReconOptions options) {
  const Recipe& recipe = recipeOf(options);
  if (!recipe.iterates) return options;
  const ReconOptions table;
  for (const std::span<const RecipeDefault> sets : {recipe.defaults, commonDefaults()})
    for (const RecipeDefault& set : sets) {
      const std::string option(set.option);
      if (optionValue(options, option) == optionValue(table, option))
        setOption(options, option, std::string(set.value));
    }
  return options;
}

IterationOptions recipeIterations(const ReconOptions& options) {
  IterationOptions iterations = withRecipeDefaults(options).iterative.solver;
  if (const auto own = recipeOf(options).regularization) iterations.regularization = *own;
  iterations.solver = solverOf(options);
  if (iterations.regularization == Regularization::denoiser) {
    iterations.denoiser = options.iterative.ownDenoiser;
    if (!iterations.denoiser.get() && !options.iterative.denoiser.empty())
      iterations.denoiser = SharedDenoiser(makeFileDenoiser(options.iterative.denoiser));
  }
  return iterations;
}

}  // namespace spokelab
