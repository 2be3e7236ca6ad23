// The tile size that gives a number of threads work. Tiles that share cells wait for each other:
// there are 2^d turns, and the tiles of one turn share no cell. A small grid cut into tiles of the
// usual size has fewer tiles in a turn than there are threads.
#pragma once

#include "engine/core/array.h"

namespace spokelab {

// The usual tile, halved in y and z until a turn has somewhat more tiles than threads, or until
// tiles have the least size for a point's reach. reach: cells, ceil(W). shares: the threads; below
// 2 the usual tile. x is not halved: vectors run along it.
Index3 sharedTile(int dims, const Index3& grid, int reach, int shares);

}  // namespace spokelab
