// Files of transforms from points to points: points, and values at them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

struct PointList {
  std::vector<double> coordinates;  // [point, dims]
  int dims = 0;
  std::int64_t count() const { return dims > 0 ? std::int64_t(coordinates.size()) / dims : 0; }
};

struct PointValues {
  Buffer<cdouble> all;              // [batch, point]
  std::vector<std::int64_t> shape;  // [..., point]
  std::int64_t batch = 1;
};

// An array [..., dim] of 1 to maxDims coordinates a point (.npy, .cfl and others of ArrayFile).
// Throws Error for another shape, or a number that is not finite and real.
PointList readPointList(const std::filesystem::path& file, const Progress& progress, int maxDims = 3);

// An array [..., point] of values at `points` points. Throws Error for another number.
PointValues readPointValues(const std::filesystem::path& file, std::int64_t points, const Progress& progress);

// Real numbers of an array of `count`; none where no file is named. `what` is for the error.
std::vector<double> readPointReals(const std::filesystem::path& file, std::int64_t count, const char* what);

// .npy [..., points]: the shape of `given` with other points.
template <class Complex>
void writePointValues(const std::filesystem::path& file, const PointValues& given, std::int64_t points,
                      const std::vector<Complex>& values);

extern template void writePointValues(const std::filesystem::path&, const PointValues&, std::int64_t,
                                      const std::vector<cfloat>&);
extern template void writePointValues(const std::filesystem::path&, const PointValues&, std::int64_t,
                                      const std::vector<cdouble>&);

}  // namespace spokelab
