#include "engine/scan/read/read_points.h"

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {
namespace {

// Factor from the unit to cycles/FOV, along an axis of n pixels.
double scaleOf(const std::string& unit, std::int64_t n, const std::string& problem) {
  if (unit.empty() || unit == "cycles/FOV") return 1;
  if (unit == "cycles/pixel") return double(n);
  if (unit == "radians/pixel") return double(n) / (2 * std::numbers::pi);
  throw Error(problem, "an array of points has no unit " + unit,
              "Use k-unit = cycles/FOV, cycles/pixel or radians/pixel");
}

}  // namespace

std::shared_ptr<const Scan> readPoints(const std::filesystem::path& file, const std::string& unit,
                                       const Index3& matrix, const Progress& progress) {
  const std::string problem = "Cannot read " + file.string() + " as a trajectory";
  const ArrayFile array(file);
  const std::vector<std::int64_t> shape = rowMajorShape(array.header());
  const std::int64_t columns = shape.empty() ? 0 : shape.back();
  if (shape.size() < 2 || columns < 2 || columns > 3)
    throw Error(problem, "its shape is " + shapeText(shape),
                "Its last axis (the first of .cfl) holds the two or three coordinates of a point");
  const std::int64_t samples = array.header().elements() / columns;
  requireMemory(2.0 * double(samples * columns) * sizeof(double), problem, "its points",
                "Use a machine with more memory");
  std::vector<double> values(std::size_t(samples * columns));
  bool flat = columns == 3;
  array.read(progress, "Reading the trajectory",
             [&](std::int64_t first, const cdouble* from, std::int64_t count) {
               for (std::int64_t i = 0; i < count; ++i) {
                 values[std::size_t(first + i)] = from[i].real();
                 if ((first + i) % columns == 2 && from[i].real() != 0) flat = false;
               }
             });
  auto scan = std::make_shared<Scan>();
  scan->name = file.filename().string();
  scan->path = file.string();
  scan->geometry = nominalImage(matrix, {}).geometry;
  Trajectory& t = scan->trajectories.emplace_back();
  t.dims = flat ? 2 : int(columns);
  std::vector<double> scale;
  for (int d = 0; d < t.dims; ++d) scale.push_back(scaleOf(unit, matrix[std::size_t(d)], problem));
  t.points.reserve(std::size_t(samples * t.dims));
  for (std::int64_t j = 0; j < samples; ++j)
    for (int d = 0; d < t.dims; ++d) {
      const double k = values[std::size_t(j * columns + d)] * scale[std::size_t(d)];
      if (!std::isfinite(k))
        throw Error(problem,
                    "coordinate " + std::to_string(d) + " of sample " + std::to_string(j) + " is not finite",
                    "Repair it in the program that wrote the file");
      t.points.push_back(k);
    }
  const std::int64_t perShot = shape[shape.size() - 2];
  for (std::int64_t end = perShot; end <= samples; end += perShot) t.shotOffsets.push_back(end);
  return scan;
}

}  // namespace spokelab
