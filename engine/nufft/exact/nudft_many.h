// The exact sums of any number of dimensions, in double precision: the oracle of many_dims.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// size: x, y, z, ...; sign: of forward's exponent. At the chosen outputs, or at all where selection
// is empty. points: [M, number of sizes], cycles per pixel.
std::vector<cdouble> nudftManyForward(std::span<const std::int64_t> size, int sign,
                                      std::span<const double> points, std::span<const cdouble> image,
                                      std::span<const std::int64_t> selection = {}, int threads = 0,
                                      const Progress& progress = {});
std::vector<cdouble> nudftManyAdjoint(std::span<const std::int64_t> size, int sign,
                                      std::span<const double> points, std::span<const cdouble> samples,
                                      std::span<const std::int64_t> selection = {}, int threads = 0,
                                      const Progress& progress = {});

}  // namespace spokelab
