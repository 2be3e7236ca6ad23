// Single entries of wisdom: whether one is plausible, its text for users, and which of two entries
// is kept.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom_file.h"

namespace spokelab {

// Whether tuning could have remembered such a candidate: options in their ranges, a grid, a time.
// Files come from anywhere, and a plan made of numbers out of range could ask for any amount of
// memory.
bool plausible(const Candidate& candidate);

// The candidate of an entry's JSON; nothing where the JSON is no candidate, or the candidate is not
// plausible.
std::optional<Candidate> wisdomCandidate(const std::string& value);

// An entry in words.
struct WisdomLine {
  std::string key;
  std::string problem;  // "2-D 128 x 128 single, 2^15 points, adjoint, accuracy 0.001, measure"
  std::string machine;  // fingerprints of its backends
  std::string plan;     // "α 1.25, W 5.31, cpu blocked"
  double seconds = 0;
  bool here = false;  // whether all its backends are present, in the same versions
};
WisdomLine describeWisdom(const std::string& key, const Candidate& candidate,
                          std::span<const std::string> fingerprints);

// How many entries of another file were taken, and how many were not.
struct WisdomMerge {
  std::size_t added = 0, replaced = 0, kept = 0;  // kept: ours instead of theirs
  std::size_t refused = 0;                        // damaged, or out of range
};

// Which entry is kept where both know a problem: theirs, or the better measured one. That is the faster
// one; where their repeats show no difference (repeats.h), the one that was timed more often.
enum class WisdomRule { theirs, better };

WisdomMerge mergeWisdom(WisdomEntries& ours, const WisdomEntries& theirs, WisdomRule rule);

}  // namespace spokelab
