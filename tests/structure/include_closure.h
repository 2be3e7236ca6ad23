// How many sources see a header, directly or through others: what a change of it compiles anew.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace spokelab::structure {

// A header, and the largest share of all sources (.cpp, .cu) that may see it.
struct SeenBound {
  std::string header;
  double maxShare = 0;
};

// The headers of whole machineries, which most sources need not know.
const std::vector<SeenBound>& seenBounds();

// Of each header, the share of the sources whose include closure holds it.
std::map<std::string, double> seenShares(const std::vector<Source>& sources);

// "engine/nufft/tune/tune.h is seen by 34.8 % of the sources, 15 % at most; through a.h, b.h": a
// message for each header beyond its bound, or missing. The headers named include it and are seen
// most.
std::vector<std::string> checkSeen(const std::vector<Source>& sources, const std::vector<SeenBound>& bounds);

}  // namespace spokelab::structure
