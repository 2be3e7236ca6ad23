// What is done to the coils before a scan is reconstructed: channels left out, noise made white, coils compressed.
// All three are one matrix M that takes the samples y of the coils at each moment to M y:
//   left out:   rows of the identity;
//   whitened:   s L^{-1}, L L^H = Psi the covariance of the noise lines (Cholesky), s^2 the mean of its diagonal, so
//               that intensities stay what they are;
//   compressed: the leading eigenvectors of the samples' covariance (their singular vectors; Buehrer et al.,
//               MRM 57:1131, 2007), conjugated: no other virtual coils of that number keep more energy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct CoilPreparation {
  std::shared_ptr<const Scan> scan;  // with its coils mixed; null where there is nothing to do
  std::vector<cdouble> mixing;       // M [coils after, coils before]: what coil maps have to go through, too
  std::vector<std::string> notes;    // what was done, in words
};

// Frames that `options` leave out are empty in the result. Throws Error where the noise lines are asked for and cannot
// tell the covariance, and where no coil or not as many coils as asked for are there; Cancelled.
CoilPreparation prepareCoils(const Scan& scan, const ReconOptions& options, const Progress& progress);

// Coils that the above leaves.
int coilsPrepared(const Scan& scan, const ReconOptions& options);

// `options` with nothing left to prepare.
ReconOptions withoutPreparation(ReconOptions options);

// Mean of n n^H over noise [coil, sample].
std::vector<cdouble> noiseCovariance(const Buffer<cfloat>& noise, int coils);

// L^{-1} of the covariance: L^{-1} Psi L^{-H} = 1. None where it is singular, to the rounding of float samples: a coil is
// dead, or others explain all its noise.
std::optional<std::vector<cdouble>> whiteningMatrix(const std::vector<cdouble>& covariance, int coils);

// The `keep` leading eigenvectors (conjugated, one a row) of a covariance of samples. `energy`: their share of it.
std::vector<cdouble> compressionMatrix(const std::vector<cdouble>& covariance, int coils, int keep,
                                       double& energy);

}  // namespace spokelab
