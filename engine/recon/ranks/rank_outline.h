// The facts about a scan that all ranks of a job need before they read their parts of it: rank 0
// reads them and tells the others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/ranks/rank_share.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct RankReader {
  // The scan's frames and slices that lists name ("0-3,7"; "": all), numbered anew from 0.
  std::function<std::shared_ptr<const Scan>(const std::string& frames, const std::string& slices,
                                            const Progress&)>
      read;
  bool readsParts = true;  // false: it gives the whole scan, whatever it is asked for
};

struct RankOutline {
  RankAxis axis = RankAxis::frames;
  std::vector<int> frames, slices;  // asked for, as the file numbers them; slices: none of a volume
  int parts = 1;                    // of the axis
  int slabs = 0;                    // as ReconOptions has them, and as memory asks for
  bool allSlices = true;            // of the file
  bool compresses = false;          // coils, to virtual ones
  bool estimatesMaps = false;
  double accuracy = 0;         // of the transform: one for all ranks, also where the noise decides it
  std::vector<double> speeds;  // of the ranks
};
struct RankProbe {
  RankOutline outline;
  std::vector<std::string> notes;    // of rank 0
  std::shared_ptr<const Scan> scan;  // of rank 0, what it read to find out
};

// All ranks call it. Throws Error where the job cannot be divided over them.
RankProbe agreeOnOutline(Ranks& ranks, Backend& backend, const RankReader& reader,
                         const ReconOptions& options, const Progress& progress);

}  // namespace spokelab
