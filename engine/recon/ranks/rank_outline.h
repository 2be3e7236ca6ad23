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
  RankAxis axis = RankAxis::frames;  // that the job is divided along
  std::vector<int> frames, slices;   // the job's, in the file's numbers; slices: empty for a volume
  int parts = 1;                     // pieces along the axis
  int slabs = 0;                     // the plan's if memory takes several, else ReconOptions::slabs
  bool allSlices = true;             // the job has all slices of the file
  bool compresses = false;           // the job compresses its coils to fewer, virtual ones
  bool estimatesMaps = false;        // the job estimates coil maps
  double accuracy = 0;               // of the transform, one for all ranks
  std::vector<double> speeds;        // of the ranks
};
// notes and scan are empty on the other ranks.
struct RankProbe {
  RankOutline outline;
  std::vector<std::string> notes;    // rank 0's plan of the job has these
  std::shared_ptr<const Scan> scan;  // what rank 0 read to find out: a frame, or the whole scan
};

// All ranks call it. Throws Error where the job cannot be divided over them.
RankProbe agreeOnOutline(Ranks& ranks, Backend& backend, const RankReader& reader,
                         const ReconOptions& options, const Progress& progress);

}  // namespace spokelab
