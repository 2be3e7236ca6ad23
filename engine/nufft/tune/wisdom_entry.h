// Single entries of wisdom: whether one is what tuning would have written, what it says, and which of two counts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom_file.h"

namespace spokelab {

// Whether a candidate can be one that tuning has remembered: settled options in their ranges, a grid, a time. Files come
// from anywhere; a plan made of numbers out of range could ask for any amount of memory.
bool plausible(const Candidate& candidate);

// The candidate of an entry's JSON; nothing where it is none, or not plausible.
std::optional<Candidate> wisdomCandidate(const std::string& value);

// An entry in words.
struct WisdomLine {
  std::string key;
  std::string problem;  // "2-D 128 x 128 single, 2^15 points, adjoint, accuracy 0.001, measure"
  std::string machine;  // fingerprints
  std::string plan;     // "α 1.25, W 5.31, cpu blocked"
  double seconds = 0;
  bool here = false;  // of this machine and these versions
};
WisdomLine describeWisdom(const std::string& key, const Candidate& candidate,
                          std::span<const std::string> fingerprints);

// What became of the entries of another file.
struct WisdomMerge {
  std::size_t added = 0, replaced = 0, kept = 0;  // kept: ours instead of theirs
  std::size_t refused = 0;                        // no wisdom: damaged, or out of range
};

enum class WisdomRule { theirs, fastest };  // where both know a problem

WisdomMerge mergeWisdom(WisdomEntries& ours, const WisdomEntries& theirs, WisdomRule rule);

}  // namespace spokelab
