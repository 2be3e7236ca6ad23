#include "engine/recon/options/subspace_options.h"

#include "engine/core/number_list.h"
#include "engine/recon/options/options.h"

namespace spokelab {
namespace {

constexpr SubspaceImages imageKinds[] = {SubspaceImages::frames, SubspaceImages::coefficients,
                                         SubspaceImages::maps};

constexpr BasisNormal normalKinds[] = {BasisNormal::automatic, BasisNormal::frames, BasisNormal::kernels};

std::string_view basisNormalName(BasisNormal normal) {
  constexpr std::string_view names[] = {"auto", "frames", "kernels"};
  return names[int(normal)];
}

std::string_view imagesName(SubspaceImages images) {
  constexpr std::string_view names[] = {"frames", "coefficients", "maps"};
  return names[int(images)];
}

// Throws the Error of `check` for a text that is not a list of that kind.
void addChecked(OptionTable<ReconOptions>& table, OptionSpec spec, std::string SubspaceOptions::*field,
                void (*check)(const std::string&)) {
  table.add(
      std::move(spec), [=](const ReconOptions& o) { return o.iterative.subspace.*field; },
      [=](ReconOptions& o, const std::string& v) {
        if (!v.empty()) check(v);
        o.iterative.subspace.*field = v;
      });
}

}  // namespace

void addSubspaceOptions(OptionTable<ReconOptions>& table) {
  const std::string group(subspaceGroup);
  table.text(
      "basis", "Temporal basis",
      "subspace, t2-shuffling: file of the basis [frame, coefficient] (.npy, .cfl, .mat:variable); empty: made "
      "of decays by T2 at the echo times",
      group, "decays by T2", [](auto& o) -> auto& { return o.iterative.subspace.basis; });
  table.number(
      "coefficients", "Coefficients", OptionType::integer, 1, 1024, "",
      "Images whose combinations the frames are, the first of the basis; auto: of a file all, of decays by "
      "the error of the basis",
      group, true, [](auto& o) -> auto& { return o.iterative.subspace.coefficients; });
  table.number(
      "basis-error", "Error of the basis", OptionType::number, 1e-6, 0.5, "",
      "Largest relative error that the basis may leave in a decay", group, false,
      [](auto& o) -> auto& { return o.iterative.subspace.basisError; });
  OptionSpec times = optionSpec(
      OptionType::text, "echo-times", "Echo times",
      "Echo times of the frames in ms, as in 10:200:10 or 5,10,20; empty: the scan's", group, "ms");
  times.empty = "the scan's";
  addChecked(table, std::move(times), &SubspaceOptions::echoTimes,
             [](const std::string& v) { realNumberList(v, "Cannot use echo-times = " + v); });
  OptionSpec range =
      optionSpec(OptionType::text, "t2-range", "Range of T2",
                 "T2 of the decays that the basis is made of, in ms, as in 10-2000", group, "ms");
  range.empty = "10-2000";
  addChecked(table, std::move(range), &SubspaceOptions::t2Range,
             [](const std::string& v) { numberWindow(v, "Cannot use t2-range = " + v); });
  OptionSpec longRange = optionSpec(
      OptionType::text, "t1-range", "Range of T1",
      "mrf: T1 of the fingerprints in ms, as in 100-3000; T2 by t2-range, and never above T1", group, "ms");
  longRange.empty = "100-3000";
  addChecked(table, std::move(longRange), &SubspaceOptions::t1Range,
             [](const std::string& v) { numberWindow(v, "Cannot use t1-range = " + v); });
  OptionSpec flips = optionSpec(
      OptionType::text, "flip-angles", "Flip angles",
      "mrf: flip angle of each frame in degrees, as in 10,12,15 or 5:70:1; empty: the train of 'simulate'",
      group, "degrees");
  flips.empty = "as simulated";
  addChecked(table, std::move(flips), &SubspaceOptions::flipAngles,
             [](const std::string& v) { realNumberList(v, "Cannot use flip-angles = " + v); });
  table.number(
      "repetition-time", "Repetition time", OptionType::number, 0.1, 1e5, "ms",
      "mrf: time from excitation to excitation", group, false,
      [](auto& o) -> auto& { return o.iterative.subspace.repetitionTime; });
  table.number(
      "inversion-time", "Inversion time", OptionType::number, 0, 1e5, "ms",
      "mrf: time from the inversion to the first excitation; 0: no inversion", group, false,
      [](auto& o) -> auto& { return o.iterative.subspace.inversionTime; });
  table.choice(
      "subspace-images", "Images of the result", imageKinds, imagesName,
      "frames: each frame, made of the coefficients; coefficients: the images that were solved for; maps: T1 and "
      "T2 in ms and the signal (mrf)",
      group, [](auto& o) -> auto& { return o.iterative.subspace.images; });
  table.choice(
      "basis-normal", "Normal operator of the basis", normalKinds, basisNormalName,
      "frames: the transform of each frame; kernels: a Toeplitz convolution for each pair of coefficients of a "
      "real basis; auto: kernels where the pairs are fewer than the frames",
      group, [](auto& o) -> auto& { return o.iterative.subspace.normal; });
}

}  // namespace spokelab
