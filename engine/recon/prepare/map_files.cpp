#include "engine/recon/prepare/map_files.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/images/read_image.h"

namespace spokelab {
namespace {

// Sizes without those of 1.
std::vector<std::int64_t> significant(std::vector<std::int64_t> sizes) {
  std::erase(sizes, 1);
  return sizes;
}

}  // namespace

std::vector<cfloat> readMaps(const Scan& scan, const std::string& file, const std::string& name,
                             std::int64_t count, int slice, const std::string& what,
                             const Progress& progress) {
  if (file == "none") return {};
  const Index3& matrix = scan.geometry.matrix;
  const std::int64_t pixels = product(matrix);
  std::vector<std::int64_t> shape;  // slowest first
  Image image;
  const cfloat* values = nullptr;
  std::int64_t total = 0;
  std::string problem = "Cannot use " + what;
  if (file.empty()) {
    const auto found = std::find_if(scan.arrays.begin(), scan.arrays.end(),
                                    [&](const NamedArray& a) { return a.name == name; });
    if (found == scan.arrays.end()) return {};
    shape = found->shape;
    values = found->values.data();
    total = std::int64_t(found->values.size());
    problem += " of the scan's file";
  } else {
    image = readImage(file, progress);
    shape = {image.frames, image.size[2], image.size[1], image.size[0]};
    values = image.data.data();
    total = std::int64_t(image.data.size());
    problem += ' ' + file;
  }
  const std::int64_t slices = scan.dims() < 3 ? scan.slices : 1;
  const bool holdsSlices = slices > 1 && total == count * pixels * slices;
  const std::string needed = (count > 1 ? std::to_string(count) + " maps of " : "a map of ") +
                             shapeText(significant({matrix[2], matrix[1], matrix[0]}));
  if (total != count * pixels && !holdsSlices)
    throw Error(problem,
                "it holds " + shapeText(significant(shape)) + " values where the scan needs " + needed,
                "Give " + what + " of the image's size");
  std::vector<std::int64_t> given = significant(shape),
                            expected = significant({matrix[2], matrix[1], matrix[0]});
  if (given.size() > 1) {  // not a flat list: the last sizes have to be the image's
    const bool fits =
        given.size() >= expected.size() && std::equal(expected.rbegin(), expected.rend(), given.rbegin());
    if (!fits)
      throw Error(
          problem,
          "its sizes " + shapeText(given) + " (x last) do not end with the image's " + shapeText(expected),
          "Turn its axes to z, y, x");
  }
  std::vector<cfloat> maps(std::size_t(count * pixels));
  for (std::int64_t m = 0; m < count; ++m) {
    const std::int64_t at = holdsSlices ? m * slices + slice : m;  // [map, slice, y, x]
    std::copy(values + at * pixels, values + (at + 1) * pixels, maps.begin() + m * pixels);
  }
  for (std::size_t i = 0; i < maps.size(); ++i)
    if (!std::isfinite(maps[i].real()) || !std::isfinite(maps[i].imag()))
      throw Error(problem, "value " + std::to_string(i) + " is not a finite number",
                  "Mend it (0 where the field is unknown), or leave it out");
  return maps;
}

bool mayHaveField(const Scan& scan, const IterativeOptions& options) {
  const bool inFile = std::any_of(scan.arrays.begin(), scan.arrays.end(),
                                  [](const NamedArray& a) { return a.name == fieldMapArray; });
  const bool field = options.fieldMap.empty() ? inFile : options.fieldMap != "none";
  return field || !options.decayMap.empty();
}

}  // namespace spokelab
