// Reads trajectory files of SPARKLING (.bin), as mri-nufft writes them from version 4.1 on: floats
// with dimensions, field of view, matrix and counts, then the starts of the shots and their
// gradients. k(t) = k(0) + gamma times the integral of G. Runs in a separate process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

struct SparklingTrajectory {
  int dims = 2;
  Index3 matrix{1, 1, 1};
  Vec3 fov{0, 0, 0};                    // mm
  std::int64_t shots = 0, rasters = 0;  // shots, and steps of the gradients in each
  std::int64_t oversampling = 1;        // samples a step that the writer asks for
  std::vector<double> starts;           // [shot, dim], 1/m
  std::vector<double> steps;            // [shot, raster, dim]: the way of k in each step, 1/m

  // Points [shot, sample, dim] in 1/m for a number of samples a shot: `rasters` (one at the begin
  // of each step), a whole multiple of it (at even distances in each step), or `rasters` + 1 (also
  // the end of the last step). Empty for other counts.
  std::vector<double> points(std::int64_t samplesPerShot) const;
};

// Recognises the file by its first numbers, which have to match the file's size.
bool isSparkling(const std::filesystem::path& file);
// Throws Error, Cancelled.
SparklingTrajectory readSparkling(const std::filesystem::path& file, const Progress& progress);

}  // namespace spokelab
