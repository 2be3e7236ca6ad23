// Options of reconstructions whose frames are combinations of a few images, and their rows of the
// table of options.
#pragma once

#include <string>

#include "engine/core/option_table.h"

namespace spokelab {

struct ReconOptions;

// maps: T1, T2 and signal of the fingerprints that match.
enum class SubspaceImages { frames, coefficients, maps };
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
  SubspaceImages images = SubspaceImages::frames;
  BasisNormal normal = BasisNormal::automatic;
};

inline constexpr std::string_view subspaceGroup = "Subspace";  // of the table

void addSubspaceOptions(OptionTable<ReconOptions>& table);

}  // namespace spokelab
