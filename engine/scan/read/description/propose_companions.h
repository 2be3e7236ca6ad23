// Proposes companions of samples and trajectory: density weights, times, maps, echo times.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/match_axes.h"
#include "engine/scan/read/description/propose_description.h"

namespace spokelab {

using Candidates = std::vector<ArrayCandidate>;

// A way to take candidates as a trajectory.
struct PossiblePoints {
  std::vector<const ArrayCandidate*> files;  // one, or one a column
  std::vector<std::string> columns;          // where they are known
  int column = -1;                           // the axis
  PointSizes sizes;
  int rank = 0;  // better ones are larger

  bool uses(const ArrayCandidate& c) const {
    return std::find(files.begin(), files.end(), &c) != files.end();
  }
};

// Adds weights, times and maps that fit the points. `folder`: the candidates'.
void addCompanions(const std::filesystem::path& folder, const Candidates& all, const PossiblePoints& points,
                   ProposedDescription& p);

// Adds echo times: in ms if the last one is 1 or more, else in s. They need an axis of the samples
// as long as their number; that axis becomes the axis of echoes.
void addEchoTimes(const std::filesystem::path& folder, const Candidates& all, const ArrayCandidate& samples,
                  ProposedDescription& p);

}  // namespace spokelab
