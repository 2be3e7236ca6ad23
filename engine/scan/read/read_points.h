// Reads a trajectory that is an array by itself: points without samples.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// .npy [..., sample, dim] or .cfl [dim, sample, ...] -> a scan of an image of `matrix` without
// samples: each row of samples is a shot. Two or three columns; a third one of zeros is left out.
// `unit`: cycles/FOV ("" too), cycles/pixel or radians/pixel. Throws Error, Cancelled.
std::shared_ptr<const Scan> readPoints(const std::filesystem::path& file, const std::string& unit,
                                       const Index3& matrix, const Progress& progress);

}  // namespace spokelab
