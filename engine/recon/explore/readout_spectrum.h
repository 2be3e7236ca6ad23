// The spectrum of a readout: which frequencies it holds, as for a tone (a spike of interference at
// one frequency) or for the projection of a spoke.
//   S(f_m) = 1/n sum_j y_j exp(-2 pi i f_m j / n),  f_m = m - floor(n/2),  m = 0 ... n-1
#pragma once

#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct ReadoutSpectrum {
  std::vector<cdouble> values;  // S
  // Hz if the samples' times are known and evenly spaced, else cycles of the readout.
  std::vector<double> frequencies;
  bool inHertz = false;
};

// times: of the samples, in seconds; empty: not known.
ReadoutSpectrum readoutSpectrum(const std::vector<cfloat>& readout, const std::vector<double>& times);

}  // namespace spokelab
