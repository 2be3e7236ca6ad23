#include "engine/recon/prepare/map_files.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

// Sizes without ones.
std::vector<std::int64_t> significant(std::vector<std::int64_t> sizes) {
  std::erase(sizes, 1);
  return sizes;
}

Geometry gridOf(const Scan& scan, const MapPlace& place) {
  Geometry g = geometryOf(scan, {place.frame}, {place.slice});
  const Index3& matrix = scan.geometry.matrix;
  const bool stacked =
      scan.dims() < 3 && !slicesHavePlaces(scan.geometry, {matrix[0], matrix[1], std::int64_t(scan.slices)});
  if (stacked && !g.slicePositions.empty())
    g.slicePositions.front() =
        along(g.slicePositions.front(), double(place.slice) * g.voxel()[2], g.sliceDirection);
  return g;
}

// Numbers as they are stored, slowest axis first.
struct StoredMaps {
  std::vector<std::int64_t> shape;
  const cfloat* values = nullptr;
  std::int64_t total = 0;
};

std::vector<cfloat> asStored(const Scan& scan, const StoredMaps& stored, const MapRequest& request, int slice,
                             const std::string& problem) {
  const Index3& matrix = scan.geometry.matrix;
  const std::int64_t pixels = product(matrix), count = request.count;
  const std::int64_t slices = scan.dims() < 3 ? scan.slices : 1;
  const bool holdsSlices = slices > 1 && stored.total == count * pixels * slices;
  const std::string needed = (count > 1 ? std::to_string(count) + " maps of " : "a map of ") +
                             shapeText(significant({matrix[2], matrix[1], matrix[0]}));
  if (stored.total != count * pixels && !holdsSlices)
    throw Error(problem,
                "it holds " + shapeText(significant(stored.shape)) + " values where the scan needs " + needed,
                "Give " + request.what + " of the image's size, or as NIfTI or ISMRMRD with its place");
  std::vector<std::int64_t> given = significant(stored.shape),
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
  // [map, slice, y, x], or [slice, map, y, x] where the sizes say so
  const bool slicesFirst =
      holdsSlices && count != slices && given.size() > 2 && given[0] == slices && given[1] == count;
  std::vector<cfloat> maps(std::size_t(count * pixels));
  for (std::int64_t m = 0; m < count; ++m) {
    const std::int64_t at = !holdsSlices ? m : slicesFirst ? slice * count + m : m * slices + slice;
    std::copy(stored.values + at * pixels, stored.values + (at + 1) * pixels, maps.begin() + m * pixels);
  }
  return maps;
}

void requireFinite(const std::vector<cfloat>& maps, const std::string& problem) {
  for (std::size_t i = 0; i < maps.size(); ++i)
    if (!std::isfinite(maps[i].real()) || !std::isfinite(maps[i].imag()))
      throw Error(problem, "value " + std::to_string(i) + " is not a finite number",
                  "Mend it (0 where the field is unknown), or leave it out");
}

void addNote(std::vector<std::string>& notes, std::string note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
}

// Reads maps from a file and places them by its affine, if it has one.
std::vector<cfloat> fromFile(const Scan& scan, const MapRequest& request, const MapPlace& place,
                             const std::string& problem, std::vector<std::string>& notes,
                             const Progress& progress) {
  std::optional<Image> read;
  if (!request.image) read = readImage(request.file, progress);
  const Image& image = request.image ? *request.image : *read;
  const std::string label = request.what + " " + request.file;
  const Geometry grid = gridOf(scan, place);
  if (image.frames == request.count && liesInPatient(image, grid, grid.matrix)) {
    MapOnGrid map = mapOnGrid(image, grid, grid.matrix, request.kind, problem, progress);
    if (!map.origin.empty()) addNote(notes, (map.question ? "(?) " : "") + label + ": " + map.origin);
    return std::move(map.values);
  }
  const StoredMaps stored{{image.frames, image.size[2], image.size[1], image.size[0]},
                          image.data.data(),
                          std::int64_t(image.data.size())};
  std::vector<cfloat> maps = asStored(scan, stored, request, place.slice, problem);
  const std::string reason = image.geometry.nominal          ? "the file does not say where it lies"
                             : scan.geometry.nominal         ? "the scan does not say where it lies"
                             : image.frames != request.count ? "its maps are not frames"
                                                             : "";
  addNote(notes, "(?) " + label + ": taken as stored, pixel by pixel, as " + reason);
  return maps;
}

}  // namespace

std::vector<cfloat> readMaps(const Scan& scan, const MapRequest& request, const MapPlace& place,
                             std::vector<std::string>& notes, const Progress& progress) {
  if (request.file == "none") return {};
  std::string problem = "Cannot use " + request.what;
  std::vector<cfloat> maps;
  if (request.file.empty() && !request.image) {
    const auto found = std::find_if(scan.arrays.begin(), scan.arrays.end(),
                                    [&](const NamedArray& a) { return a.name == request.name; });
    if (found == scan.arrays.end()) return {};
    problem += " of the scan's file";
    maps = asStored(scan, {found->shape, found->values.data(), std::int64_t(found->values.size())}, request,
                    place.slice, problem);
  } else {
    problem += ' ' + request.file;
    maps = fromFile(scan, request, place, problem, notes, progress);
  }
  requireFinite(maps, problem);
  return maps;
}

}  // namespace spokelab
