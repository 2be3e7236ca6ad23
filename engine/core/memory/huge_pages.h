// Asks the system to back a large array with large pages: a point touches up to ceil(W)^2 rows,
// each on a different page, more than the first-level address caches hold. Systems without large
// pages ignore it.
#pragma once

#include <cstddef>

namespace spokelab {

void useHugePages(void* data, std::size_t bytes);

}  // namespace spokelab
