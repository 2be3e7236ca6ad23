// Asks the system to back a large array with large pages: a point touches up to ceil(W)^2 rows,
// each on a different page, more than the first-level address caches hold. Systems without large
// pages ignore it.
#pragma once

#include <cstddef>
#include <vector>

namespace spokelab {

// Arrays of at least this size are worth it.
inline constexpr std::size_t minHugeBytes = std::size_t{8} << 20;
inline constexpr std::size_t hugePageBytes = std::size_t{2} << 20;

void useHugePages(void* data, std::size_t bytes);

// Does values.resize(count) after all cores have touched fresh memory. The system clears each page
// at its first touch, which takes one thread longer than writing the vector's zeros.
void resizeLarge(std::vector<double>& values, std::size_t count);

}  // namespace spokelab
