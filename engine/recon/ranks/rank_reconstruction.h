// A reconstruction on several ranks: frames, slices, coils or slabs divided (rank_share.h), each
// rank reading what its share needs, the image whole on rank 0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/ranks/rank_outline.h"
#include "engine/recon/ranks/shared_image.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class Wisdom;

struct RankReconstruction {
  Reconstruction result;             // rank 0's has the whole image; the others' have none
  std::shared_ptr<const Scan> scan;  // what this rank read
  RankAxis axis = RankAxis::frames;
};

// All ranks call it with the same options. All reconstruct with one plan: `plan` if given, else the
// plan that rank 0 tunes; so images equal a single rank's to rounding. wisdom: rank 0's, null on
// the others; one rank of each further kind of processor tunes too, only for rank 0's wisdom
// (rank_wisdom.h). backend: this rank's CPU or device. shared: the same object on all ranks, into
// which each writes its part; null: rank 0 gathers the images. Throws Error; Cancelled.
RankReconstruction reconstructOnRanks(Ranks& ranks, Backend& backend, const RankReader& reader,
                                      const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                                      const Candidate* plan = nullptr, SharedImage* shared = nullptr);

// "2 ranks on 1 machine divided the coils: 0.31 s to 0.33 s each".
std::string ranksText(const Reconstruction& result);
// "coils: 0.31 s to 0.33 s each", of what each rank did.
std::string divisionText(const Reconstruction& result);

}  // namespace spokelab
