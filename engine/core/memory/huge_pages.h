// Asks the system to back a large array with large pages: a point touches up to ceil(W)^2 rows,
// each on a page of its own, more than the first-level address caches hold. Nothing happens where
// the system does not offer it.
#pragma once

#include <cstddef>

namespace spokelab {

void useHugePages(void* data, std::size_t bytes);

}  // namespace spokelab
