// Single entries of wisdom: checked, described for users, merged.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/result/candidate.h"
#include "engine/nufft/tune/wisdom_file.h"

namespace spokelab {

// True if tuning could have written the candidate: options in range, a grid, a time. A file may
// come from anywhere, and numbers out of range could request any amount of memory.
bool plausible(const Candidate& candidate);

// The candidate of an entry's JSON; nothing if it cannot be read or is not plausible.
std::optional<Candidate> wisdomCandidate(const std::string& value);

// An entry in words.
struct WisdomLine {
  std::string key;
  // "2-D 128 x 128 single, 2^15 points, adjoint, 4 executions a set of points, accuracy 0.001,
  // 8 threads, measure"
  std::string problem;
  std::string machine;  // fingerprints of its backends
  std::string plan;     // "α 1.25, W 5.31, cpu blocked"
  double seconds = 0;
  bool here = false;  // all its backends are present, in the same versions
};
WisdomLine describeWisdom(const std::string& key, const Candidate& candidate,
                          std::span<const std::string> fingerprints);

// Counts of another file's entries.
struct WisdomMerge {
  std::size_t added = 0, replaced = 0, kept = 0;  // kept: ours stayed, or both were equal
  std::size_t refused = 0;                        // damaged, or out of range
};

// Chooses between two entries of one problem. theirs: the other file wins. better: the faster entry
// wins; if repeats (repeats.h) show no difference, the one timed more often.
enum class WisdomRule { theirs, better };

WisdomMerge mergeWisdom(WisdomEntries& ours, const WisdomEntries& theirs, WisdomRule rule);

}  // namespace spokelab
