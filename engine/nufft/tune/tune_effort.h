// The time that a search for a plan may take.
#pragma once

#include <string_view>

namespace spokelab {

enum class TuneEffort {
  estimate,   // the cost model decides, nothing is timed
  measure,    // the most promising plans are timed, for a second or so
  exhaustive  // all plans are timed
};
std::string_view effortName(TuneEffort);      // "estimate", "measure", "exhaustive"
TuneEffort effortFromName(std::string_view);  // throws Error for an unknown name

}  // namespace spokelab
