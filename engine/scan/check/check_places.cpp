#include "engine/scan/check/check_places.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/check/map_on_grid.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/slice_lines.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

constexpr int placeDigits = 4;

Index3 imageSizeOf(const Scan& scan) {
  const Index3& m = scan.geometry.matrix;
  return {m[0], m[1], scan.dims() == 3 ? m[2] : std::int64_t(scan.slices)};
}

// Slices of a frame whose place another slice has, too.
int sharedPlaces(const Geometry& g) {
  int shared = 0;
  for (std::size_t a = 0; a < g.slicePositions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (!samePlace({g.directionsOf(a), g.slicePositions[a]}, {g.directionsOf(b), g.slicePositions[b]},
                     g.fov))
        continue;
      ++shared;
      break;
    }
  return shared;
}

void checkSpacing(const Geometry& g, const std::string& name, std::vector<Finding>& findings) {
  constexpr double overlap = 0.98, slanted = 0.02;  // of the thickness; of a step's length
  if (g.matrix[2] > 1 || g.slicePositions.size() < 2) return;
  const Vec3 step = minus(g.slicePositions[1], g.slicePositions[0]);
  const double across = std::abs(dot(step, g.sliceDirection)), thickness = g.voxel()[2];
  const std::string reason = (name.empty() ? "" : name + ": ") + numberText(across, placeDigits) +
                             " mm from one to the next, " + numberText(thickness, placeDigits) + " mm thick";
  if (across < overlap * thickness)
    findings.push_back({FindingWeight::note, "The slices overlap", reason,
                        "Check positions and field of view along the slice direction"});
  else if (across * overlap > thickness)
    findings.push_back({FindingWeight::note, "There are gaps between the slices", reason, ""});
  const double aside = std::sqrt(std::max(0.0, dot(step, step) - across * across));
  if (aside > slanted * lengthOf(step))
    findings.push_back({FindingWeight::note, "The slices are shifted against each other",
                        (name.empty() ? "" : name + ": ") + numberText(aside, placeDigits) +
                            " mm in plane from one to the next",
                        "NIfTI files hold that in their sform alone"});
}

}  // namespace

void checkPlaces(const Scan& scan, std::vector<Finding>& findings) {
  const Geometry& g = scan.geometry;
  if (const int shared = sharedPlaces(g); shared > 0)
    findings.push_back({FindingWeight::wrong, "Several slices have the same position",
                        countText(std::int64_t(g.slicePositions.size()), "slice") + ", " +
                            std::to_string(shared) + " of them at the place of another one",
                        "Write each slice's own position"});
  for (const Decision& d : scan.decisions)
    if (d.topic == "slice-order" && d.choice == "by position")
      findings.push_back({FindingWeight::note, "The slices were measured in another order than they lie in",
                          d.evidence, "Slices are numbered by position, from 0"});
  const std::vector<ImageGroup> groups = imageGroups(g, imageSizeOf(scan), scan.frames);
  if (groups.size() > 1)
    findings.push_back({FindingWeight::note, "No single affine describes all slices and frames",
                        groupsText(groups),
                        "Each group is written and shown as an image: one NIfTI file a group"});
  constexpr std::size_t maxGroups = 8;  // of which the spacing is looked at
  for (std::size_t i = 0; i < std::min(maxGroups, groups.size()); ++i)
    if (slicesHavePlaces(groups[i].geometry,
                         {g.matrix[0], g.matrix[1], std::int64_t(groups[i].geometry.slicePositions.size())}))
      checkSpacing(groups[i].geometry, groups[i].name, findings);
}

void checkMap(const Scan& scan, const std::filesystem::path& file, std::vector<Finding>& findings,
              const Progress& progress) {
  const Image map = readImage(file, progress);
  const std::string name = file.filename().string();
  const Index3 size = imageSizeOf(scan);
  const std::string sizes =
      "the map has " + sizeText(map.size, 3, " x ") + " pixels, the image " + sizeText(size, 3, " x ");
  if (map.geometry.nominal || scan.geometry.nominal) {
    const std::string unknown =
        map.geometry.nominal ? "the map does not say where it lies" : "the scan does not say where it lies";
    const bool fits = map.volume() % product(scan.geometry.matrix) == 0;
    if (fits)
      findings.push_back({FindingWeight::suspicious, name + " is taken as stored, pixel by pixel",
                          unknown + "; a turned or moved map would go unnoticed",
                          "Give maps as NIfTI or ISMRMRD, with their place, beside a scan that has its own"});
    else
      findings.push_back({FindingWeight::wrong, name + " does not fit the image", unknown + ", and " + sizes,
                          "Give a map of the image's size, or with its place"});
    return;
  }
  int outside = 0;
  std::string origin;
  for (int z = 0; z < (scan.dims() == 3 ? 1 : scan.slices); ++z) try {
      const Geometry grid = geometryOf(scan, {0}, {z});
      origin = mapOnGrid(map, grid, grid.matrix, MapKind::value, "", progress).origin;
    } catch (const Error& e) {
      ++outside;
      origin = e.reason();
    }
  if (outside > 0)
    findings.push_back({FindingWeight::wrong, name + " is elsewhere in the patient", origin,
                        "Use a map of the same part of the patient"});
  else if (!origin.empty())
    findings.push_back({FindingWeight::note, name + " has another grid than the image", origin, ""});
}

}  // namespace spokelab
