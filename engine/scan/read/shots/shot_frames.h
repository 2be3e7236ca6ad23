// Frames made of a scan's shots.
#pragma once

#include <vector>

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The only frame of a scan becomes frames of these shots each (ascending numbers); a shot may be in
// several, or in none. Each frame has the samples, points and times of its shots. The file's
// density weights, areas of the whole pattern, are dropped, with a warning. `what`: the frames in
// words, for errors. Leaves frameAxes to the caller. Throws Error where memory does not suffice.
void divideShots(Scan& scan, const std::vector<std::vector<int>>& frames, const std::string& what,
                 Decisions& d);

}  // namespace spokelab
