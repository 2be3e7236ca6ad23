#include "engine/recon/options/subspace_options.h"

#include "engine/core/number_list.h"
#include "engine/recon/options/options.h"

namespace spokelab {
namespace {

constexpr SubspaceImages imageKinds[] = {SubspaceImages::frames, SubspaceImages::coefficients};

constexpr BasisNormal normalKinds[] = {BasisNormal::automatic, BasisNormal::frames, BasisNormal::kernels};

std::string_view basisNormalName(BasisNormal normal) {
  constexpr std::string_view names[] = {"auto", "frames", "kernels"};
  return names[int(normal)];
}

std::string_view imagesName(SubspaceImages images) {
  return images == SubspaceImages::frames ? "frames" : "coefficients";
}

// A text that `check` throws for where it is none.
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
  table.choice(
      "subspace-images", "Images of the result", imageKinds, imagesName,
      "frames: each frame, made of the coefficients; coefficients: the images that were solved for", group,
      [](auto& o) -> auto& { return o.iterative.subspace.images; });
  table.choice(
      "basis-normal", "Normal operator of the basis", normalKinds, basisNormalName,
      "frames: the transform of each frame; kernels: a Toeplitz convolution for each pair of coefficients of a "
      "real basis; auto: kernels where the pairs are fewer than the frames",
      group, [](auto& o) -> auto& { return o.iterative.subspace.normal; });
}

}  // namespace spokelab
