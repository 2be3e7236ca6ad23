// Options of reconstructions whose frames are combinations of a few images, and their rows of the
// table of options.
#pragma once

#include <string>
#include <string_view>

#include "engine/recon/options/idle_rules.h"
#include "engine/recon/options/option_checks.h"

namespace spokelab {

// maps: T1, T2 and signal of the fingerprints that match. automatic: the method's own.
enum class SubspaceImages { automatic, frames, coefficients, maps };
// automatic: kernels where they are fewer than frames with points of their own.
enum class BasisNormal { automatic, frames, kernels };

struct SubspaceOptions {
  std::string basis;                // file; "": of decays by T2 at the echo times
  int coefficients = 0;             // 0: by basisError
  double basisError = 1e-2;         // the largest of a decay, relative
  std::string echoTimes;            // ms, a list; "": the scan's
  std::string t2Range = "10-2000";  // ms
  // Fingerprints: a list of degrees ("": the train of simulated scans); T1 and times in ms.
  std::string flipAngles, t1Range = "100-3000";
  double repetitionTime = 12, inversionTime = 20;
  SubspaceImages images = SubspaceImages::automatic;
  BasisNormal normal = BasisNormal::automatic;
};

inline constexpr std::string_view subspaceGroup = "Subspace";  // of the table

std::string_view subspaceImagesName(SubspaceImages);  // "auto", "frames", "coefficients", "maps"
std::string_view basisNormalName(BasisNormal);        // "auto", "frames", "kernels"

// The rows of the fields above.
template <class Rows>
void addSubspaceRows(Rows& rows) {
  static constexpr SubspaceImages imageKinds[] = {SubspaceImages::automatic, SubspaceImages::frames,
                                                  SubspaceImages::coefficients, SubspaceImages::maps};
  static constexpr BasisNormal normalKinds[] = {BasisNormal::automatic, BasisNormal::frames,
                                                BasisNormal::kernels};

  const std::string group(subspaceGroup);
  rows.text(
          "basis", "Temporal basis",
          "subspace, t2-shuffling: file of the basis [frame, coefficient] (.npy, .cfl, .mat:variable); empty: made "
          "of decays by T2 at the echo times",
          group, "decays by T2", [](auto& o) -> auto& { return o.iterative.subspace.basis; })
      .file()
      .idle({idle::noBasis});
  rows.number(
          "coefficients", "Coefficients", OptionType::integer, 1, 1024, "",
          "Images whose combinations the frames are, the first of the basis; auto: of a file all, of decays by "
          "the error of the basis",
          group, true, [](auto& o) -> auto& { return o.iterative.subspace.coefficients; })
      .idle({idle::noBasis});
  rows.number(
          "basis-error", "Error of the basis", OptionType::number, 1e-6, 0.5, "",
          "Largest relative error that the basis may leave in a decay", group, false,
          [](auto& o) -> auto& { return o.iterative.subspace.basisError; })
      .idle({idle::noBasis, idle::basisIsFile, idle::coefficientsGiven});
  rows.text(
          "echo-times", "Echo times",
          "Echo times of the frames in ms, as in 10:200:10 or 5,10,20; empty: the scan's", group,
          "the scan's", [](auto& o) -> auto& { return o.iterative.subspace.echoTimes; })
      .unit("ms")
      .check(checkValues)
      .idle({idle::gridding, idle::noBasisOrEchoes, idle::onlyBasisIsFile});
  rows.text(
          "t2-range", "Range of T2", "T2 of the decays that the basis is made of, in ms, as in 10-2000",
          group, "10-2000", [](auto& o) -> auto& { return o.iterative.subspace.t2Range; })
      .unit("ms")
      .check(checkWindow)
      .idle({idle::noBasis, idle::basisIsFile});
  rows.text(
          "t1-range", "Range of T1",
          "mrf: T1 of the fingerprints in ms, as in 100-3000; T2 by t2-range, and never above T1", group,
          "100-3000", [](auto& o) -> auto& { return o.iterative.subspace.t1Range; })
      .unit("ms")
      .check(checkWindow)
      .idle({idle::noFingerprints});
  rows.text(
          "flip-angles", "Flip angles",
          "mrf: flip angle of each frame in degrees, as in 10,12,15 or 5:70:1; empty: the train of 'simulate'",
          group, "as simulated", [](auto& o) -> auto& { return o.iterative.subspace.flipAngles; })
      .unit("degrees")
      .check(checkValues)
      .idle({idle::noFingerprints});
  rows.number(
          "repetition-time", "Repetition time", OptionType::number, 0.1, 1e5, "ms",
          "mrf: time from excitation to excitation", group, false,
          [](auto& o) -> auto& { return o.iterative.subspace.repetitionTime; })
      .idle({idle::noFingerprints});
  rows.number(
          "inversion-time", "Inversion time", OptionType::number, 0, 1e5, "ms",
          "mrf: time from the inversion to the first excitation; 0: no inversion", group, false,
          [](auto& o) -> auto& { return o.iterative.subspace.inversionTime; })
      .idle({idle::noFingerprints});
  rows.choice(
          "subspace-images", "Images of the result", imageKinds, subspaceImagesName,
          "frames: each frame, made of the coefficients; coefficients: the images that were solved for; maps: T1 and "
          "T2 in ms and the signal (mrf); auto: maps with mrf, else frames",
          group, [](auto& o) -> auto& { return o.iterative.subspace.images; })
      .idle({idle::noBasis});
  rows.choice(
          "basis-normal", "Normal operator of the basis", normalKinds, basisNormalName,
          "frames: the transform of each frame; kernels: a Toeplitz convolution for each pair of coefficients of a "
          "real basis; auto: kernels where the pairs are fewer than the frames",
          group, [](auto& o) -> auto& { return o.iterative.subspace.normal; })
      .idle({idle::noBasis});
}

}  // namespace spokelab
