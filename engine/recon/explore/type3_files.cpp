#include "engine/recon/explore/type3_files.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/images/npy_file.h"

namespace spokelab {

PointList readPointList(const std::filesystem::path& file, const Progress& progress, int maxDims) {
  const ArrayFile array(file);
  const std::vector<std::int64_t> shape = rowMajorShape(array.header());
  const std::string problem = "Cannot read " + file.string() + " as points";
  PointList points;
  points.dims = shape.size() < 2 ? 1 : int(std::min<std::int64_t>(shape.back(), maxDims + 1));
  if (shape.empty() || points.dims > maxDims || points.dims < 1)
    throw Error(problem, "its shape is " + shapeText(shape),
                "Its last axis (the first of .cfl) holds the " +
                    (maxDims == 3 ? std::string("one to three") : "1 to " + std::to_string(maxDims)) +
                    " coordinates of a point");
  const Buffer<cdouble> values = array.readAll<cdouble>(progress, "Reading points");
  points.coordinates.reserve(values.size());
  for (const cdouble& v : values) {
    if (!std::isfinite(v.real()) || v.imag() != 0)
      throw Error(problem, "a coordinate is not a finite real number",
                  "Repair it in the program that wrote the file");
    points.coordinates.push_back(v.real());
  }
  return points;
}

PointValues readPointValues(const std::filesystem::path& file, std::int64_t points,
                            const Progress& progress) {
  const ArrayFile array(file);
  PointValues values;
  values.shape = rowMajorShape(array.header());
  if (values.shape.empty() || values.shape.back() != points)
    throw Error("Cannot take the values of " + file.string(),
                "its shape is " + shapeText(values.shape) + ", and there are " + countText(points, "point"),
                "Its last axis (the first of .cfl) holds the values of the points");
  values.all = array.readAll<cdouble>(progress, "Reading values");
  values.batch = points > 0 ? std::int64_t(values.all.size()) / points : 1;
  return values;
}

std::vector<double> readPointReals(const std::filesystem::path& file, std::int64_t count, const char* what) {
  if (file.empty()) return {};
  const ArrayFile array(file);
  const Buffer<cdouble> fieldValues = array.readAll<cdouble>({}, "Reading the field");
  if (std::int64_t(fieldValues.size()) != count)
    throw Error("Cannot take " + file.string() + " as the " + what,
                "it has " + countText(std::int64_t(fieldValues.size()), "number") + ", and " +
                    std::to_string(count) + " are needed",
                "Give a number for each point");
  std::vector<double> values;
  values.reserve(fieldValues.size());
  for (const cdouble& v : fieldValues) values.push_back(v.real());
  return values;
}

template <class Complex>
void writePointValues(const std::filesystem::path& file, const PointValues& given, std::int64_t points,
                      const std::vector<Complex>& values) {
  std::vector<std::int64_t> shape = given.shape;
  shape.back() = points;
  writeNpyFile(file, std::is_same_v<Complex, cdouble> ? "<c16" : "<c8", shape,
               [&](ByteSink& sink) { sink.write(values.data(), values.size() * sizeof(Complex)); }, {});
}

template void writePointValues(const std::filesystem::path&, const PointValues&, std::int64_t,
                               const std::vector<cfloat>&);
template void writePointValues(const std::filesystem::path&, const PointValues&, std::int64_t,
                               const std::vector<cdouble>&);

}  // namespace spokelab
