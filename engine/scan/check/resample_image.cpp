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

namespace spokelab {
namespace {

using Affine = std::array<std::array<double, 4>, 3>;

constexpr double slack = 0.1;  // pixels that two grids may lie apart and still be one
constexpr double half = 0.5;   // a pixel reaches so far about its centre

Vec3 mapped(const Affine& m, const Vec3& v) {
  Vec3 out{};
  for (std::size_t row = 0; row < 3; ++row)
    out[row] = m[row][0] * v[0] + m[row][1] * v[1] + m[row][2] * v[2] + m[row][3];
  return out;
}

// Empty where the columns do not span space.
std::optional<Affine> inverse(const Affine& m) {
  const auto cofactor = [&m](std::size_t row, std::size_t column) {
    const std::size_t r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
  };
  const double determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
  if (!std::isfinite(determinant) || determinant == 0) return std::nullopt;
  Affine inverted{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      inverted[row][column] = cofactor(column, row) / determinant;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t d = 0; d < 3; ++d) inverted[row][3] -= inverted[row][d] * m[d][3];
  return inverted;
}

// From pixel numbers of `onto` to those of `image`.
std::optional<Affine> betweenGrids(const Image& image, const Image& onto) {
  if (image.geometry.nominal || onto.geometry.nominal) return std::nullopt;
  const auto toImage = inverse(niftiAffine(image.geometry, image.size));
  const Affine toPatient = niftiAffine(onto.geometry, onto.size);
  if (!toImage || !inverse(toPatient)) return std::nullopt;
  Affine both{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t d = 0; d < 3; ++d) both[row][column] += (*toImage)[row][d] * toPatient[d][column];
    both[row][3] += (*toImage)[row][3];
  }
  return both;
}

template <class Visit>
void forEachCorner(const Index3& size, double reach, Visit visit) {
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      for (const bool z : {false, true})
        visit(Vec3{x ? double(size[0] - 1) + reach : -reach, y ? double(size[1] - 1) + reach : -reach,
                   z ? double(size[2] - 1) + reach : -reach});
}

// 2-D slices whose positions are no straight, even row cannot be interpolated between.
bool slicesLieEvenly(const Image& image) {
  const Geometry& g = image.geometry;
  const std::size_t count = g.slicePositions.size();
  if (g.matrix[2] > 1 || count < 3 || std::int64_t(count) != image.size[2]) return true;
  const Vec3 first = g.slicePositions.front(), last = g.slicePositions.back();
  const double step =
      std::hypot(last[0] - first[0], last[1] - first[1], last[2] - first[2]) / double(count - 1);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double part = double(i) / double(count - 1);
    for (std::size_t d = 0; d < 3; ++d)
      if (std::abs(first[d] + part * (last[d] - first[d]) - g.slicePositions[i][d]) > slack * step)
        return false;
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
  const auto between = betweenGrids(a, b);
  if (!between) return true;  // one of the two does not say where it lies
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
  if (!slicesLieEvenly(image)) return sizes + ", and the slices to interpolate between lie unevenly";
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
    throw Error(problem, "no pixel of one lies in the other", remedy);
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
