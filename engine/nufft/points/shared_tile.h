// The tile size for a number of threads. Tiles that share cells wait for each other: they take
// turns, 2^d of them, and a small grid cut into tiles of the usual size has fewer in a turn than
// there are threads.
#pragma once

#include "engine/core/array.h"

namespace spokelab {

// The usual tile, halved in y and z until a turn has somewhat more tiles than threads (shares), or
// until tiles have the least size for a point's reach (cells, ceil(W)). x is not halved: vectors
// run along it.
Index3 sharedTile(int dims, const Index3& grid, int reach, int shares);

}  // namespace spokelab
