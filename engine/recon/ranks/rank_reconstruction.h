// A reconstruction on several ranks: frames, slices or coils divided (rank_share.h), each rank reading
// what its share needs, the image whole on rank 0.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/backend.h"
#include "engine/recon/ranks/rank_share.h"

namespace spokelab {

struct RankReader {
  // The scan's frames and slices that lists name ("0-3,7"; "": all), numbered anew from 0.
  std::function<std::shared_ptr<const Scan>(const std::string& frames, const std::string& slices,
                                            const Progress&)>
      read;
  bool readsParts = true;  // false: it gives the whole scan, whatever it is asked for
};

// What a rank did, for reports.
struct RankAccount {
  std::string host;
  std::vector<int> share;  // of the axis
  double seconds = 0;      // reading, coil maps, reconstruction; without tuning and waiting at the end
  double speed = 1;        // beside the fastest rank, as measured before the job was divided
};

struct RankReconstruction {
  Reconstruction result;             // rank 0's has the whole image; the others' have none
  std::shared_ptr<const Scan> scan;  // what this rank read
  RankAxis axis = RankAxis::frames;
  std::vector<RankAccount> ranks;  // on rank 0
};

// All ranks call it with the same options. Images equal those of one rank to rounding: all
// take the plan that rank 0 tunes. wisdom: rank 0's; ranks on other kinds of processors add theirs to it
// (rank_wisdom.h). backend: the CPU's. Throws Error; Cancelled.
RankReconstruction reconstructOnRanks(Ranks& ranks, Backend& backend, const RankReader& reader,
                                      const ReconOptions& options, Wisdom* wisdom, const Progress& progress);

}  // namespace spokelab
