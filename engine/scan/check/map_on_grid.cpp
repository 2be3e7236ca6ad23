#include "engine/scan/check/map_on_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/formats/images/nifti_affine.h"
#include "engine/scan/place/affine.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

constexpr double halfPixel = 0.5;        // a pixel reaches so far about its centre
constexpr double sameGridPixels = 2e-3;  // headers hold floats: affines that differ less are the same

// Maps pixel numbers of the grid to pixel numbers of the map.
std::optional<Affine> gridToMap(const Geometry& map, const Index3& mapSize, const Geometry& grid,
                                const Index3& size) {
  const auto toMap = inverse(niftiAffine(map, mapSize));
  const Affine toPatient = niftiAffine(grid, size);
  if (!toMap || !inverse(toPatient)) return std::nullopt;
  return product(*toMap, toPatient);
}

template <class Visit>
void forCorners(const Index3& size, Visit visit) {
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      for (const bool z : {false, true})
        visit(Vec3{x ? double(size[0] - 1) : 0, y ? double(size[1] - 1) : 0, z ? double(size[2] - 1) : 0});
}

// The affine with whole numbers, where each pixel of the grid is one of the map's.
std::optional<Affine> wholePixels(const Affine& between, const Index3& size) {
  Affine rounded = between;
  for (auto& row : rounded)
    for (double& v : row) v = std::round(v);
  bool isWhole = true;
  forCorners(size, [&](const Vec3& corner) {
    isWhole = isWhole && lengthOf(minus(mapped(between, corner), mapped(rounded, corner))) <= sameGridPixels;
  });
  if (!isWhole) return std::nullopt;
  return rounded;
}

// The part of the grid outside the map.
struct Outside {
  std::int64_t pixels = 0;
  std::int64_t aside = 0;  // beside the map's slices, whatever the distance along its third axis
  double farthestMm = 0;
};

// Distance beyond the outer edge of the map along each axis, in its pixels.
Vec3 beyond(const Vec3& at, const Index3& size) {
  Vec3 far{};
  for (std::size_t d = 0; d < 3; ++d)
    far[d] = std::max({0.0, -halfPixel - at[d], at[d] - (double(size[d] - 1) + halfPixel)});
  return far;
}

Outside outsideOf(const Affine& between, const Geometry& map, const Index3& mapSize, const Index3& size) {
  constexpr double rounding = 1e-6;  // pixels
  const Vec3 voxel = map.voxel();
  Outside out;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const Vec3 far = beyond(mapped(between, {double(x), double(y), double(z)}), mapSize);
        if (std::max({far[0], far[1], far[2]}) <= rounding) continue;
        ++out.pixels;
        out.aside += std::max(far[0], far[1]) > rounding;
        out.farthestMm =
            std::max(out.farthestMm, std::hypot(far[0] * voxel[0], far[1] * voxel[1], far[2] * voxel[2]));
      }
  return out;
}

// The eight pixels about a place, and their shares.
struct Neighbours {
  std::array<std::int64_t, 8> at{};
  std::array<double, 8> share{};
};

Neighbours neighboursOf(const Vec3& place, const Index3& size) {
  const std::array<std::int64_t, 3> strides{1, size[0], size[0] * size[1]};
  std::int64_t base = 0;
  std::array<double, 3> part{};
  std::array<std::int64_t, 3> next{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double held = std::clamp(place[d], 0.0, double(size[d] - 1));
    const auto below = std::int64_t(held);
    base += below * strides[d];
    part[d] = held - double(below);
    next[d] = below + 1 < size[d] ? strides[d] : 0;
  }
  Neighbours n;
  for (std::size_t corner = 0; corner < n.at.size(); ++corner) {
    n.at[corner] = base;
    n.share[corner] = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const bool upper = (corner >> d) & 1;
      n.at[corner] += upper ? next[d] : 0;
      n.share[corner] *= upper ? part[d] : 1 - part[d];
    }
  }
  return n;
}

cfloat interpolated(const Image& map, std::int64_t frame, const Neighbours& n, MapKind kind) {
  cdouble sum = 0;
  for (std::size_t corner = 0; corner < n.at.size(); ++corner) {
    if (n.share[corner] == 0) continue;  // a value outside, which may not be a number
    const cdouble value = map.value(std::size_t(frame * map.volume() + n.at[corner]));
    sum += n.share[corner] * (kind == MapKind::phase ? std::polar(1.0, value.real()) : value);
  }
  return kind == MapKind::phase ? cfloat(float(std::arg(sum))) : cfloat(sum);
}

std::string voxelText(const Image& map) {
  constexpr int digits = 3;
  const Vec3 voxel = map.geometry.voxel();
  return sizeText(map.size, 3, " x ") + " pixels of " + numberText(voxel[0], digits) + " x " +
         numberText(voxel[1], digits) + " x " + numberText(voxel[2], digits) + " mm";
}

bool keepsOrder(const Affine& whole) {
  for (std::size_t d = 0; d < 3; ++d)
    if (whole[d][d] != 1 || whole[d][3] != 0) return false;
  return true;
}

std::string originText(const Image& map, const std::optional<Affine>& whole, const Outside& outside,
                       const Index3& size) {
  std::string text;
  if (!whole)
    text = "resampled (linear) from " + voxelText(map) + ", by where both lie in the patient";
  else if (!keepsOrder(*whole))
    text = "read pixel by pixel from " + voxelText(map) + " stored in another order, by where both lie";
  if (outside.pixels == 0) return text;
  constexpr int digits = 3;
  return text + (text.empty() ? "" : "; ") + percentText(double(outside.pixels) / double(product(size))) +
         " of the image is outside the map, by up to " + numberText(outside.farthestMm, digits) +
         " mm: the nearest value is taken there";
}

std::string millimetresText(const Vec3& mm) {
  constexpr int digits = 4;
  return numberText(mm[0], digits) + ", " + numberText(mm[1], digits) + ", " + numberText(mm[2], digits);
}

Vec3 gridCentre(const Geometry& g, const Index3& size) {  // LPS
  const Vec3 at = mapped(niftiAffine(g, size),
                         {double(size[0] - 1) / 2, double(size[1] - 1) / 2, double(size[2] - 1) / 2});
  return {-at[0], -at[1], at[2]};
}

}  // namespace

bool liesInPatient(const Image& map, const Geometry& grid, const Index3& size) {
  if (map.geometry.nominal) return false;
  if (!grid.nominal) return true;
  const auto between = gridToMap(map.geometry, map.size, grid, size);
  if (!between) return false;
  const auto whole = wholePixels(*between, size);
  if (!whole) return false;
  bool inside = true;
  forCorners(size, [&](const Vec3& corner) {
    const Vec3 far = beyond(mapped(*whole, corner), map.size);
    inside = inside && far == Vec3{};
  });
  return inside;
}

MapOnGrid mapOnGrid(const Image& map, const Geometry& grid, const Index3& size, MapKind kind,
                    const std::string& problem, const Progress& progress) {
  std::shared_ptr<const Image> best;
  Affine between{};
  Outside outside;
  const std::vector<ImageGroup> groups = imageGroups(map);
  for (const ImageGroup& group : groups) {
    if (group.frames != map.frames) continue;
    progress.checkpoint();
    const std::shared_ptr<const Image> part =
        isOneGroup(map) ? std::shared_ptr<const Image>(std::shared_ptr<void>(), &map)
                        : imageOfGroup(map, group);
    const auto affine = gridToMap(part->geometry, part->size, grid, size);
    if (!affine) continue;
    const Outside out = outsideOf(*affine, part->geometry, part->size, size);
    const bool nearer = best && (out.pixels < outside.pixels ||
                                 (out.pixels == outside.pixels && out.farthestMm < outside.farthestMm));
    if (best && !nearer) continue;
    best = part;
    between = *affine;
    outside = out;
  }
  const std::int64_t pixels = product(size);
  if (!best)
    throw Error(problem, "no affine describes its slices in all of its maps",
                "Write all maps with the same slices, each with its place");
  if (outside.aside == pixels)
    throw Error(problem,
                "it does not overlap the image: the centres lie at " +
                    millimetresText(gridCentre(best->geometry, best->size)) + " and " +
                    millimetresText(gridCentre(grid, size)) + " mm (left, posterior, superior)",
                "Use a map of the same part of the patient");
  const std::optional<Affine> whole = wholePixels(between, size);
  if (whole) between = *whole;
  MapOnGrid result;
  result.origin = originText(*best, whole, outside, size);
  // A map that ends before the image begins has no value for any of its pixels.
  result.question = outside.pixels == pixels || (grid.nominal && !(whole && keepsOrder(*whole)));
  result.values.resize(std::size_t(map.frames * pixels));
  constexpr std::int64_t pixelsPerTask = 1 << 12;
  parallelFor(pixels, 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3 place{double(i % size[0]), double(i / size[0] % size[1]), double(i / (size[0] * size[1]))};
      const Neighbours n = neighboursOf(mapped(between, place), best->size);
      for (std::int64_t m = 0; m < map.frames; ++m)
        result.values[std::size_t(m * pixels + i)] = interpolated(*best, m, n, kind);
    }
  });
  return result;
}

}  // namespace spokelab
