// A test of a trajectory by samples near the centre of k-space: an object inside the field of view
// makes k-space smooth, so that a few coefficients describe all samples with |k| <= R.
//   min over x of Σ_j |Σ_p x_p e^{-2πi k_j·r_p} − s_j|²,  r_p on a grid over the field of view
// The residual is the root of this minimum over the energy of s less its mean over shots at the
// same sample, which any directions explain. It is 0 for the true trajectory, about 1 for a wrong
// one.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// Samples of one coil or more: [coil][shot, sample].
struct CentreSamples {
  std::int64_t shots = 0, samples = 0;
  std::vector<std::vector<cfloat>> coils;

  const cfloat& at(std::size_t coil, std::int64_t shot, std::int64_t sample) const {
    return coils[coil][std::size_t(shot * samples + sample)];
  }
};

// The coils with the most energy, at most `maxCoils`.
CentreSamples strongestCoils(CentreSamples samples, std::size_t maxCoils);

// Sample at which the mean magnitude over shots and coils is largest.
std::int64_t centreSample(const CentreSamples& s);

// The middle of the energy around that sample: readouts through the centre are even about it.
double energyCentre(const CentreSamples& s);

struct Consistency {
  double residual = 1;    // as above
  std::int64_t used = 0;  // samples; 0: too few near the centre to say anything
};

// `points`: [shot, sample, dims] in cycles/FOV. Throws Cancelled.
Consistency selfConsistency(const CentreSamples& samples, const std::vector<double>& points, int dims,
                            const Progress& progress);

}  // namespace spokelab
