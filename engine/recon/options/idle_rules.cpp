#include "engine/recon/options/idle_rules.h"

#include <algorithm>
#include <initializer_list>

#include "engine/nufft/problem/backend_kind.h"
#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/options/solver_choice.h"

namespace spokelab::idle {
namespace {

using Options = ReconOptions;

bool iterates(const Options& o) {
  return recipeOf(o.iterative.method).iterates;
}

// The one that is used: exact sums know the field, whatever transform is named.
TransformKind transformOf(const Options& o) {
  const TransformKind named = o.iterative.transform;
  return o.exact && named != TransformKind::gdftR2 ? TransformKind::gdft : named;
}

bool mayBe(const Options& o, std::initializer_list<TransformKind> kinds) {
  const TransformKind used = transformOf(o);
  return used == TransformKind::automatic || std::find(kinds.begin(), kinds.end(), used) != kinds.end();
}

bool runsNormal(const Options& o) {
  return iterates(o) || o.tuning.direction == Direction::normal;
}

bool ofEchoes(const Options& o) {
  return isFoundField(o.iterative.fieldMap);
}

bool mapsAreEstimated(const Options& o) {
  const std::string& maps = o.iterative.coilMaps;
  return maps.empty() || maps == "espirit" || maps == "walsh";
}

// True if the method itself regularizes in one of these ways.
bool regularizesBy(const Options& o, std::initializer_list<Regularization> kinds) {
  const auto recipePrior = recipeOf(o.iterative.method).regularization;
  return recipePrior && std::find(kinds.begin(), kinds.end(), *recipePrior) != kinds.end();
}

}  // namespace

Rule gridding{[](const Options& o) { return !iterates(o); },
              "Gridding does not use it: choose a method that iterates, such as sense"};
Rule mapsCombine{iterates, "Methods that iterate combine the coils by their maps"};
Rule notPcSense{[](const Options& o) { return o.iterative.method != ReconMethod::pcSense; },
                "Only the method pcsense uses it"};
Rule notNlinv{[](const Options& o) { return !recipeOf(o.iterative.method).findsMaps; },
              "Only the method nlinv uses it"};
Rule softSense{[](const Options& o) { return o.iterative.method == ReconMethod::softSense; },
               "The method has two sets of coil maps"};
Rule methodFindsMaps{[](const Options& o) { return recipeOf(o.iterative.method).findsMaps; },
                     "The method finds the coil maps itself, and regularizes less in each step"};
Rule coilImages{[](const Options& o) { return recipeOf(o.iterative.method).coilImages; },
                "The method has no coil maps: each coil has an image"};
Rule methodRegularizes{
    [](const Options& o) { return recipeOf(o.iterative.method).regularization.has_value(); },
    "The method has a regularization already"};
Rule noWavelets{[](const Options& o) {
                  return !regularizesBy(o, {Regularization::wavelets, Regularization::jointWavelets});
                },
                "Only the methods wavelet, joint-wavelet and coil-wavelet use it"};
Rule noBlocks{[](const Options& o) { return !regularizesBy(o, {Regularization::locallyLowRank}); },
              "Only the methods llr and t2-shuffling use it"};
Rule noLowRankPart{[](const Options& o) { return !regularizesBy(o, {Regularization::lowRankSparse}); },
                   "Only the method l+s uses it"};
Rule noJumpsInTime{[](const Options& o) { return !regularizesBy(o, {Regularization::temporalVariation}); },
                   "Only the methods grasp and xd-grasp use it"};
Rule oneSolver{[](const Options& o) { return solversOf(o).size() < 2; }, "The method has one solver"};
Rule noDenoiser{[](const Options& o) { return !regularizesBy(o, {Regularization::denoiser}); },
                "Only the methods pnp and joint-pnp use it"};
Rule lambdaIsZero{[](const Options& o) { return o.iterative.solver.lambda == 0; },
                  "Regularization λ is 0: nothing is regularized"};

Rule noBasis{[](const Options& o) { return !recipeOf(o.iterative.method).usesBasis; },
             "Only the methods subspace, t2-shuffling and mrf use it"};
Rule noBasisOrEchoes{[](const Options& o) { return !recipeOf(o.iterative.method).usesBasis && !ofEchoes(o); },
                     "Only a field from the echoes and the methods subspace and t2-shuffling use it"};
Rule noFingerprints{[](const Options& o) { return !recipeOf(o.iterative.method).matchesFingerprints; },
                    "Only the method mrf uses it"};
Rule basisIsFile{[](const Options& o) { return !o.iterative.subspace.basis.empty(); },
                 "The basis comes from a file"};
Rule onlyBasisIsFile{[](const Options& o) { return !o.iterative.subspace.basis.empty() && !ofEchoes(o); },
                     "The basis comes from a file"};
Rule coefficientsGiven{[](const Options& o) { return o.iterative.subspace.coefficients > 0; },
                       "The number of coefficients is given"};

Rule notAdaptive{[](const Options& o) { return o.combination != Combination::adaptive; },
                 "Only the adaptive coil combination uses it"};
Rule mapsAreFile{[](const Options& o) { return !mapsAreEstimated(o); }, "The coil maps come from a file"};
Rule mapsAreWalsh{[](const Options& o) { return o.iterative.coilMaps == "walsh"; },
                  "Only ESPIRiT crops its maps"};

Rule transformWithoutField{[](const Options& o) { return !knowsField(transformOf(o)); },
                           "The transforms nufft and toeplitz do not use a field"};
Rule fieldIsNone{[](const Options& o) { return o.iterative.fieldMap == "none"; },
                 "No field map is used (field-map = none)"};
Rule fieldOfTheEchoes{ofEchoes, "A field from the echoes has its unit and sign"};
Rule fieldNotOfEchoes{[](const Options& o) { return !ofEchoes(o); },
                      "The field does not come from echoes (field-map echoes, or images of echoes)"};
Rule noGradients{[](const Options& o) { return transformOf(o) != TransformKind::gdftR2; },
                 "Only the transform gdftr2 uses it"};
Rule noSegments{[](const Options& o) {
                  return !mayBe(o, {TransformKind::segmented, TransformKind::segmentedToeplitz});
                },
                "The transform has no time segments"};
Rule noConvolutions{[](const Options& o) { return !mayBe(o, {TransformKind::segmentedToeplitz}); },
                    "Only the transform segmented-toeplitz uses it"};

Rule notPipeMenon{[](const Options& o) {
                    return o.density != DensityMethod::automatic && o.density != DensityMethod::pipeMenon;
                  },
                  "Only Pipe-Menon density compensation uses it"};
Rule noNormal{[](const Options& o) { return !runsNormal(o); },
              "Gridding has no normal operator: choose a method that iterates, such as sense"};
Rule onGpu{[](const Options& o) { return kindOf(o.backend) == BackendKind::gpu; },
           "Only the CPU uses it, and the backend is cuda"};
Rule onCpu{[](const Options& o) { return kindOf(o.backend) == BackendKind::cpu; },
           "Only the GPU uses it, and the backend is cpu"};
Rule exactSums{[](const Options& o) { return o.exact; }, "Exact sums have no grid"};
Rule undividedVolume{[](const Options& o) {
                       return iterates(o) &&
                              (o.iterative.method == ReconMethod::pcSense ||
                               !mayBe(o, {TransformKind::nufft}) || isToeplitz(o.nufft.normal));
                     },
                     "Only gridding and sense with the transform nufft divide a volume"};
Rule reproducibleRun{[](const Options& o) { return o.nufft.reproducible; },
                     "Reproducible: two runs would not stop at the same iteration"};
Rule untimedTuning{[](const Options& o) { return o.effort == TuneEffort::estimate; },
                   "The tuning effort estimate times nothing"};

}  // namespace spokelab::idle
