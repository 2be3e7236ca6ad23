// The preparation of a scan for its reconstruction: samples are selected (sample_selection.h) and
// scaled (sample_scale.h), channels left out, noise made white, coils compressed. The last three
// are one matrix M that takes the samples y of the coils at each moment to M y:
//   left out:   rows of the identity;
//   whitened:   s L^{-1}, L L^H = Psi the covariance of the noise lines (Cholesky), s^2 the mean
//               of its diagonal, so that intensities do not change;
//   compressed: the leading eigenvectors of the samples' covariance (their singular vectors;
//               Buehrer et al., MRM 57:1131, 2007), conjugated: they keep the most energy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/coil_mixer.h"
#include "engine/recon/job/job_plan.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct ScanPreparation {
  std::shared_ptr<const Scan>
      scan;  // with the samples that take part, its coils mixed; null where there is nothing to do
  std::vector<cdouble>
      mixing;  // M [coils after, coils before], or empty: what coil maps have to go through, too
  // Has copies of the mixed samples in a backend's memory; null: none.
  std::shared_ptr<const CoilMixer> mixer;
  int exponent = 0;                // the samples were multiplied by 2^exponent (sample_scale.h)
  std::vector<std::string> notes;  // what was done, in words
};

// Frames that the job leaves out are empty in the result. Throws Error where the noise lines are
// asked for and cannot tell the covariance, and where no coil is left or fewer coils than asked
// for; Cancelled. mixer: mixes what it takes, in single precision; null: the host does all. ranks:
// prepare the same scan at the same time (sampleExponent); null: one does.
ScanPreparation prepareScan(const Scan& scan, const JobPlan& job, const Progress& progress,
                            const std::shared_ptr<CoilMixer>& mixer = nullptr, Ranks* ranks = nullptr);

// `options` with nothing left to prepare.
ReconOptions withoutPreparation(ReconOptions options);
// The job of the scan that prepareScan() made.
JobPlan afterPreparation(JobPlan job);

// L^{-1} of the covariance: L^{-1} Psi L^{-H} = 1. None where it is singular, to the rounding of
// float samples: a coil is dead, or others explain all its noise.
std::optional<std::vector<cdouble>> whiteningMatrix(const std::vector<cdouble>& covariance, int coils);

// The `keep` leading eigenvectors (conjugated, one a row) of a covariance of samples. `energy`:
// their share of it.
std::vector<cdouble> compressionMatrix(const std::vector<cdouble>& covariance, int coils, int keep,
                                       double& energy);

}  // namespace spokelab
