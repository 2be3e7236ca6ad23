#include "engine/scan/check/resample_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

constexpr double slack = 0.1;  // pixels that two grids may lie apart and still be one
constexpr double half = 0.5;   // a pixel reaches so far about its centre

// Maps pixel numbers of `onto` to pixel numbers of `image`.
std::optional<Affine> betweenGrids(const Image& image, const Image& onto) {
  if (image.geometry.nominal || onto.geometry.nominal) return std::nullopt;
  const auto toImage = inverse(niftiAffine(image.geometry, image.size));
  const Affine toPatient = niftiAffine(onto.geometry, onto.size);
  if (!toImage || !inverse(toPatient)) return std::nullopt;
  return product(*toImage, toPatient);
}

template <class Visit>
void forEachCorner(const Index3& size, double reach, Visit visit) {
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      for (const bool z : {false, true})
        visit(Vec3{x ? double(size[0] - 1) + reach : -reach, y ? double(size[1] - 1) + reach : -reach,
                   z ? double(size[2] - 1) + reach : -reach});
}

// Slices and frames of the same number lie at the same place, to a tenth of a pixel.
bool placesAlike(const Image& a, const Image& b) {
  if (a.frames != b.frames || a.geometry.slicePositions.size() != b.geometry.slicePositions.size())
    return false;
  if (a.geometry.nominal || b.geometry.nominal) return true;
  const Vec3 voxel = a.geometry.voxel();
  for (int f = 0; f < a.frames; ++f)
    for (std::size_t z = 0; z < a.geometry.slicePositions.size(); ++z) {
      const Geometry &g = a.geometry.ofFrame(f), &h = b.geometry.ofFrame(f);
      const Directions d = g.directionsOf(z), e = h.directionsOf(z);
      const double turned =
          lengthOf(minus(d.read, e.read)) * g.fov[0] + lengthOf(minus(d.phase, e.phase)) * g.fov[1];
      const double moved = lengthOf(minus(g.slicePositions[z], h.slicePositions[z]));
      if (turned / 2 + moved > slack * std::min(voxel[0], voxel[1])) return false;
    }
  return true;
}

bool boxesOverlap(const Affine& toImage, const Image& image, const Image& onto) {
  constexpr double far = std::numeric_limits<double>::max();
  Vec3 low{far, far, far}, high{-far, -far, -far};
  forEachCorner(onto.size, 0, [&](const Vec3& corner) {
    const Vec3 at = mapped(toImage, corner);
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], at[d]);
      high[d] = std::max(high[d], at[d]);
    }
  });
  for (std::size_t d = 0; d < 3; ++d)
    if (high[d] < -half || low[d] > double(image.size[d]) - half) return false;
  return true;
}

Vec3 centreOf(const Image& image) {  // LPS
  const Vec3 middle{double(image.size[0] - 1) / 2, double(image.size[1] - 1) / 2,
                    double(image.size[2] - 1) / 2};
  const Vec3 at = mapped(niftiAffine(image.geometry, image.size), middle);
  return {-at[0], -at[1], at[2]};
}

std::string pointText(const Vec3& mm) {
  constexpr int digits = 4;
  return numberText(mm[0], digits) + ", " + numberText(mm[1], digits) + ", " + numberText(mm[2], digits);
}

std::string sizeOf(const Image& image) {
  return sizeText(image.size, 3, " x ");
}

// One line of pixels of `onto`, from the pixel numbers `at`, which `step` moves on.
template <class Complex>
void interpolateLine(const Complex* from, const Index3& size, Vec3 at, const Vec3& step, std::int64_t count,
                     Complex* out) {
  using Real = typename Complex::value_type;
  const std::array<std::int64_t, 3> strides{1, size[0], size[0] * size[1]};
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t base = 0;
    std::array<Real, 3> part{};
    std::array<std::int64_t, 3> next{};
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const double last = double(size[d] - 1), place = at[d] + double(i) * step[d];
      inside = inside && place >= -half && place <= last + half;
      const double held = std::clamp(place, 0.0, last);
      const auto below = std::int64_t(held);
      base += below * strides[d];
      part[d] = Real(held - double(below));
      next[d] = below + 1 < size[d] ? strides[d] : 0;
    }
    if (!inside) {
      out[i] = {std::numeric_limits<Real>::quiet_NaN(), 0};
      continue;
    }
    const auto along = [&](std::int64_t place) {
      return from[place] * (1 - part[0]) + from[place + next[0]] * part[0];
    };
    const auto plane = [&](std::int64_t place) {
      return along(place) * (1 - part[1]) + along(place + next[1]) * part[1];
    };
    out[i] = plane(base) * (1 - part[2]) + plane(base + next[2]) * part[2];
  }
}

}  // namespace

bool sameGrid(const Image& a, const Image& b) {
  if (a.size != b.size) return false;
  if (!isOneGroup(a) || !isOneGroup(b)) return placesAlike(a, b);
  const auto between = betweenGrids(a, b);
  if (!between) return true;  // one of the two has no known place
  bool same = true;
  forEachCorner(b.size, 0, [&](const Vec3& corner) {
    const Vec3 at = mapped(*between, corner);
    for (std::size_t d = 0; d < 3; ++d) same = same && std::abs(at[d] - corner[d]) <= slack;
  });
  return same;
}

std::string gridObstacle(const Image& image, const Image& onto) {
  if (image.frames != onto.frames)
    return "one has " + countText(image.frames, "frame") + ", the other " + countText(onto.frames, "frame");
  if (sameGrid(image, onto)) return {};
  const std::string sizes = "one has " + sizeOf(image) + " pixels, the other " + sizeOf(onto);
  const auto between = betweenGrids(image, onto);
  if (!between) return sizes + ", and not both say where they lie in the patient";
  if (!isOneGroup(image) || !isOneGroup(onto))
    return sizes + ", and the slices to interpolate between lie unevenly";
  if (!boxesOverlap(*between, image, onto))
    return "they do not overlap: the centres lie at " + pointText(centreOf(image)) + " and " +
           pointText(centreOf(onto)) + " mm (left, posterior, superior)";
  return {};
}

std::shared_ptr<const Image> resampled(const Image& image, const Image& onto, const Progress& progress) {
  const std::string problem = "Cannot compare with " + image.name;
  const std::string remedy =
      "Use an image of the same part of the patient; images of one size can be compared by pixel";
  if (const std::string obstacle = gridObstacle(image, onto); !obstacle.empty())
    throw Error(problem, obstacle, remedy);
  const auto between = betweenGrids(image, onto);
  if (!between) throw Error(problem, "it does not say where it lies", remedy);
  auto result = std::make_shared<Image>();
  result->frames = image.frames;
  result->size = onto.size;
  result->geometry = onto.geometry;
  result->name = image.name;
  result->provenance = image.provenance;
  result->makeRoom(image.isDouble(), problem, "Use a machine with more memory");
  const std::int64_t lines = onto.size[1] * onto.size[2];
  const Vec3 step{(*between)[0][0], (*between)[1][0], (*between)[2][0]};
  constexpr std::int64_t linesAtOnce = 64;
  for (int frame = 0; frame < image.frames; ++frame) {
    progress.report(double(frame) / image.frames, "Resampling " + image.name);
    parallelFor(lines, 0, linesAtOnce, [&](std::int64_t begin, std::int64_t end) {
      progress.checkpoint();
      for (std::int64_t line = begin; line < end; ++line) {
        const Vec3 start = mapped(*between, {0, double(line % onto.size[1]), double(line / onto.size[1])});
        const std::int64_t to = frame * result->volume() + line * onto.size[0], from = frame * image.volume();
        if (image.isDouble())
          interpolateLine(image.doubleData.data() + from, image.size, start, step, onto.size[0],
                          result->doubleData.data() + to);
        else
          interpolateLine(image.data.data() + from, image.size, start, step, onto.size[0],
                          result->data.data() + to);
      }
    });
  }
  result->settle();
  if (std::all_of(result->data.begin(), result->data.end(), [](cfloat v) { return std::isnan(v.real()); }))
    throw Error(problem, "they have no place in common", remedy);
  return result;
}

std::shared_ptr<const Image> onGridOf(const Image& onto, std::shared_ptr<const Image> image,
                                      const Progress& progress) {
  if (image->frames == onto.frames && sameGrid(*image, onto)) return image;
  return resampled(*image, onto, progress);
}

std::string resampledText(const Image& image, const Image& result) {
  constexpr int digits = 3;
  const Vec3 voxel = image.geometry.voxel();
  const auto covered =
      std::count_if(result.data.begin(), result.data.end(), [](cfloat v) { return !std::isnan(v.real()); });
  return "resampled (linear) from " + sizeOf(image) + " pixels of " + numberText(voxel[0], digits) + " x " +
         numberText(voxel[1], digits) + " x " + numberText(voxel[2], digits) + " mm, covers " +
         percentText(double(covered) / double(result.data.size()));
}

}  // namespace spokelab
