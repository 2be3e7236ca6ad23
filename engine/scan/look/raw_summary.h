// Numbers that tell at a glance what the samples of a scan are: the energy of its coils, the
// largest magnitude of its shots, the covariance of its noise.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct RawSummary {
  // [coil], over all frames, slices and samples
  std::vector<double> energy;   // mean of |y|^2
  std::vector<double> largest;  // |y|
  // [shot] of the first frame: largest |y| over its samples, coils and slices.
  std::vector<float> shotMaxima;
  std::int64_t noiseSamples = 0;  // of a coil, in noise readouts; 0: the scan has none
  std::vector<cdouble> noise;     // covariance [coil, coil]; empty: no noise readouts

  // Standard deviation of a coil's noise: root of the mean of |n|^2.
  double noiseOf(int coil) const;
  // |Psi_ab| / sqrt(Psi_aa Psi_bb); 0 where a coil has no noise.
  double correlation(int a, int b) const;
};

// Numbers of the shots with the smallest and the largest maximum, the maxima's median, and how many
// shots hold zeros only. There must be a shot.
struct ShotRange {
  std::int64_t weakest = 0, strongest = 0, empty = 0;
  double median = 0;
};
ShotRange shotRange(const std::vector<float>& shotMaxima);

// Throws Cancelled.
RawSummary rawSummary(const Scan& scan, const Progress& progress);

// Mean of n n^H over noise [coil, sample], as [coil, coil].
std::vector<cdouble> noiseCovariance(const Buffer<cfloat>& noise, int coils);

// The largest |y| of each shot of a frame, over samples, coils and slices. Throws Cancelled.
std::vector<float> shotMaxima(const Scan& scan, int frame, const Progress& progress);

}  // namespace spokelab
