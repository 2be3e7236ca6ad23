#include "engine/recon/options/option_rules.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include "engine/nufft/problem/backend_kind.h"
#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

using Options = ReconOptions;
using Names = std::initializer_list<std::string_view>;

// In the order of the panel.
constexpr std::array<std::string_view, 7> essentials{"method",     "accuracy",  "regularization", "lambda",
                                                     "iterations", "coil-maps", "field-map"};
// The order of groups after the essentials: a person's choices before the transform's.
constexpr std::array<std::string_view, 10> groupOrder{
    iterationsGroup, subspaceGroup,    "Coils",    "Field", "Shots",
    "Selection",     "Reconstruction", "Accuracy", "Plan",  "Tuning"};

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
  const auto own = recipeOf(o.iterative.method).regularization;
  return own && std::find(kinds.begin(), kinds.end(), *own) != kinds.end();
}

struct Rule {
  bool (*isIdle)(const Options&);
  std::string_view why;
  Names names;
};

// The first one that holds is told.
std::span<const Rule> rules() {
  static const std::array all{
      Rule{[](const Options& o) { return !iterates(o); },
           "Gridding does not use it: choose a method that iterates, such as sense",
           {"transform",       "iterations",        "lambda",         "regularization",   "tolerance",
            "least-change",    "iteration-seconds", "wavelet-shifts", "llr-block",        "llr-places",
            "low-rank-weight", "data-weights",      "coil-maps",      "coil-calibration", "coil-crop",
            "coil-map-sets",   "field-map",         "field-unit",     "field-smoothing",  "echo-times",
            "turn-field",      "time-origin",       "decay-map",      "gradient-mode",    "segments",
            "convolutions",    "interpolator"}},
      Rule{[](const Options& o) { return o.iterative.method != ReconMethod::pcSense; },
           "Only the method pcsense uses it",
           {"phase-maps", "turn-phase"}},
      Rule{[](const Options& o) { return recipeOf(o.iterative.method).findsMaps; },
           "The method finds the coil maps itself, and regularizes less in each step",
           {"coil-maps", "coil-calibration", "coil-crop", "coil-map-sets", "lambda", "regularization",
            "least-change"}},
      Rule{[](const Options& o) { return recipeOf(o.iterative.method).coilImages; },
           "The method has no coil maps: each coil has an image",
           {"coil-maps", "coil-calibration", "coil-crop", "coil-map-sets"}},
      Rule{[](const Options& o) { return o.iterative.method == ReconMethod::softSense; },
           "The method has two sets of coil maps",
           {"coil-map-sets"}},
      Rule{[](const Options& o) { return !recipeOf(o.iterative.method).findsMaps; },
           "Only the method nlinv uses it",
           {"frame-prior"}},
      Rule{[](const Options& o) { return !recipeOf(o.iterative.method).usesBasis; },
           "Only the methods subspace, t2-shuffling and mrf use it",
           {"basis", "coefficients", "basis-error", "t2-range", "subspace-images", "basis-normal"}},
      Rule{[](const Options& o) { return !recipeOf(o.iterative.method).usesBasis && !ofEchoes(o); },
           "Only a field from the echoes and the methods subspace and t2-shuffling use it",
           {"echo-times"}},
      Rule{[](const Options& o) { return !recipeOf(o.iterative.method).matchesFingerprints; },
           "Only the method mrf uses it",
           {"t1-range", "flip-angles", "repetition-time", "inversion-time"}},
      Rule{[](const Options& o) { return !o.iterative.subspace.basis.empty(); },
           "The basis comes from a file",
           {"basis-error", "t2-range"}},
      Rule{[](const Options& o) { return !o.iterative.subspace.basis.empty() && !ofEchoes(o); },
           "The basis comes from a file",
           {"echo-times"}},
      Rule{[](const Options& o) { return o.iterative.subspace.coefficients > 0; },
           "The number of coefficients is given",
           {"basis-error"}},
      Rule{[](const Options& o) { return recipeOf(o.iterative.method).regularization.has_value(); },
           "The method has a regularization already",
           {"regularization"}},
      Rule{[](const Options& o) {
             return !regularizesBy(o, {Regularization::wavelets, Regularization::jointWavelets});
           },
           "Only the methods wavelet, joint-wavelet and coil-wavelet use it",
           {"wavelet-shifts"}},
      Rule{[](const Options& o) { return !regularizesBy(o, {Regularization::locallyLowRank}); },
           "Only the methods llr and t2-shuffling use it",
           {"llr-block", "llr-places"}},
      Rule{[](const Options& o) { return !regularizesBy(o, {Regularization::lowRankSparse}); },
           "Only the method l+s uses it",
           {"low-rank-weight"}},
      Rule{[](const Options& o) { return !regularizesBy(o, {Regularization::denoiser}); },
           "Only the methods pnp and joint-pnp use it",
           {"denoiser"}},
      Rule{[](const Options& o) { return o.iterative.solver.lambda == 0; },
           "Regularization λ is 0: nothing is regularized",
           {"regularization", "wavelet-shifts", "llr-block", "llr-places", "low-rank-weight"}},
      Rule{iterates, "Methods that iterate combine the coils by their maps", {"combine", "walsh-block"}},
      Rule{[](const Options& o) { return o.combination != Combination::adaptive; },
           "Only the adaptive coil combination uses it",
           {"walsh-block"}},
      Rule{[](const Options& o) { return !mapsAreEstimated(o); },
           "The coil maps come from a file",
           {"coil-calibration", "coil-crop"}},
      Rule{[](const Options& o) { return o.iterative.coilMaps == "walsh"; },
           "Only ESPIRiT crops its maps",
           {"coil-crop"}},
      Rule{[](const Options& o) { return !knowsField(transformOf(o)); },
           "The transforms nufft and toeplitz do not use a field",
           {"field-map", "field-unit", "turn-field", "time-origin", "decay-map", "field-smoothing"}},
      Rule{[](const Options& o) { return o.iterative.fieldMap == "none"; },
           "The field map is none",
           {"field-unit", "turn-field"}},
      Rule{ofEchoes, "A field from the echoes has its unit and sign", {"field-unit", "turn-field"}},
      Rule{[](const Options& o) { return !ofEchoes(o); },
           "The field does not come from echoes (field-map echoes, or images of echoes)",
           {"field-smoothing"}},
      Rule{[](const Options& o) { return transformOf(o) != TransformKind::gdftR2; },
           "Only the transform gdftr2 uses it",
           {"gradient-mode"}},
      Rule{[](const Options& o) {
             return !mayBe(o, {TransformKind::segmented, TransformKind::segmentedToeplitz});
           },
           "The transform has no time segments",
           {"segments", "interpolator"}},
      Rule{[](const Options& o) { return !mayBe(o, {TransformKind::segmentedToeplitz}); },
           "Only the transform segmented-toeplitz uses it",
           {"convolutions"}},
      Rule{[](const Options& o) {
             return o.density != DensityMethod::automatic && o.density != DensityMethod::pipeMenon;
           },
           "Only Pipe-Menon density compensation uses it",
           {"pipe-menon-iterations"}},
      Rule{[](const Options& o) { return !runsNormal(o); },
           "Gridding has no normal operator: choose a method that iterates, such as sense",
           {"normal", "toeplitz-alpha"}},
      Rule{[](const Options& o) {
             return o.nufft.normal != NormalMethod::automatic && o.nufft.normal != NormalMethod::toeplitz;
           },
           "Only the padded Toeplitz form (normal = toeplitz) uses it",
           {"toeplitz-alpha"}},
      Rule{[](const Options& o) { return kindOf(o.backend) == BackendKind::gpu; },
           "Only the CPU uses it, and the backend is cuda",
           {"precomputation", "scheduler", "scheduler-off", "partitions", "images-together", "fft-effort"}},
      Rule{[](const Options& o) { return kindOf(o.backend) == BackendKind::cpu; },
           "Only the GPU uses it, and the backend is cpu",
           {"max-subproblem", "devices"}},
      Rule{[](const Options& o) { return o.exact; }, "Exact sums have no grid", {"slabs"}},
      Rule{[](const Options& o) {
             return iterates(o) && (o.iterative.method == ReconMethod::pcSense ||
                                    !mayBe(o, {TransformKind::nufft}) || isToeplitz(o.nufft.normal));
           },
           "Only gridding and sense with the transform nufft divide a volume",
           {"slabs"}},
      Rule{[](const Options& o) { return o.nufft.scheduler.kind == Scheduler::tiles; },
           "Tiles have no task graph: choose the scheduler graph",
           {"scheduler-off", "partitions"}},
      Rule{[](const Options& o) { return o.nufft.reproducible; },
           "Reproducible: two runs would not stop at the same iteration",
           {"iteration-seconds"}},
      Rule{[](const Options& o) { return o.effort == TuneEffort::estimate; },
           "The tuning effort estimate times nothing",
           {"trials", "time-limit"}},
  };
  return all;
}

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<OptionGroup> grouped() {
  const std::vector<OptionSpec>& table = reconOptionTable();
  std::vector<OptionGroup> groups{{std::string(essentialsGroup), {}}};
  for (const std::string_view name : essentials)
    groups.front().options.push_back(
        *std::find_if(table.begin(), table.end(), [name](const OptionSpec& s) { return s.name == name; }));
  for (const std::string_view title : groupOrder) {
    OptionGroup group{std::string(title), {}};
    for (const OptionSpec& spec : table)
      if (spec.group == title && !holds(essentials, spec.name)) group.options.push_back(spec);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

const std::vector<OptionGroup>& optionGroups() {
  static const std::vector<OptionGroup> groups = grouped();
  return groups;
}

std::string whyIdle(const ReconOptions& options, std::string_view name) {
  for (const Rule& rule : rules())
    if (holds(rule.names, name) && rule.isIdle(options)) return std::string(rule.why);
  return {};
}

bool takesFile(std::string_view name) {
  constexpr std::array<std::string_view, 6> files{"coil-maps",  "field-map", "decay-map",
                                                  "phase-maps", "basis",     "denoiser"};
  return holds(files, name);
}

// --- of options.h --------------------------------------------------------------------------------

std::string unusedOptions(const ReconOptions& options) {
  if (iterates(options)) return {};
  const ReconOptions defaults;
  std::vector<std::string> names;
  for (const OptionSpec& spec : reconOptionTable())
    if (spec.group == iterationsGroup && !whyIdle(options, spec.name).empty() &&
        optionValue(options, spec.name) != optionValue(defaults, spec.name))
      names.push_back(spec.name);
  return joined(names);
}

}  // namespace spokelab
