#include "widgets/image/display/orientation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

double length(const Vec3& v) {
  return std::hypot(v[0], v[1], v[2]);
}

Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

bool usable(const Vec3& v) {
  constexpr double tiny = 1e-6;
  const double n = length(v);
  return std::isfinite(n) && n > tiny;
}

Vec3 unit(const Vec3& v) {
  const double n = length(v);
  return {v[0] / n, v[1] / n, v[2] / n};
}

// The array axis nearest to each patient axis: the assignment with the largest sum of cosines.
std::array<int, 3> nearestArrayAxes(const PixelAxes& axes) {
  std::array<int, 3> order{0, 1, 2}, best = order;
  double bestSum = -1;
  constexpr double tie = 1e-9;
  do {
    double sum = 0;
    for (std::size_t patient = 0; patient < 3; ++patient)
      sum += std::abs(axes.direction[std::size_t(order[patient])][patient]);
    if (sum > bestSum + tie) {
      bestSum = sum;
      best = order;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// Patient axes that a plane shows to the right and downwards, with the sign it shows them in (LPS).
struct PlaneLayout {
  int right, rightSign, down, downSign, through;
};
constexpr PlaneLayout layoutOf(Plane plane) {
  switch (plane) {
    case Plane::axial:
      return {0, 1, 1, 1, 2};  // left of the patient to the right, back down
    case Plane::coronal:
      return {0, 1, 2, -1, 1};  // left of the patient to the right, feet down
    case Plane::sagittal:
      return {1, 1, 2, -1, 0};  // back to the right, feet down
  }
  return {0, 1, 1, 1, 2};
}

}  // namespace

Vec3 PixelAxes::position(const Vec3& index) const {
  Vec3 mm = origin;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t d = 0; d < 3; ++d) mm[d] += index[axis] * spacing[axis] * direction[axis][d];
  return mm;
}

PixelAxes pixelAxes(const Image& image) {
  const Geometry& g = image.geometry;
  PixelAxes axes;
  axes.nominal = g.nominal;
  if (usable(g.readDirection) && usable(g.phaseDirection) && usable(g.sliceDirection))
    axes.direction = {unit(g.readDirection), unit(g.phaseDirection), unit(g.sliceDirection)};
  const Vec3 voxel = g.voxel();
  for (std::size_t d = 0; d < 3; ++d)
    axes.spacing[d] = std::isfinite(voxel[d]) && voxel[d] > 0 ? voxel[d] : 1;

  Vec3 centre = g.slicePositions.empty() ? Vec3{0, 0, 0} : g.slicePositions.front();
  double centreIndexZ = double(image.size[2] / 2);
  const std::size_t slices = g.slicePositions.size();
  if (slices > 1 && slices == std::size_t(image.size[2])) {
    const Vec3 stack = minus(g.slicePositions.back(), g.slicePositions.front());
    if (usable(stack)) {
      axes.direction[2] = unit(stack);
      axes.spacing[2] = length(stack) / double(slices - 1);
    }
    centreIndexZ = 0;
  }
  axes.origin = centre;
  const Vec3 shift = minus({0, 0, 0}, {double(image.size[0] / 2), double(image.size[1] / 2), centreIndexZ});
  axes.origin = axes.position(shift);
  return axes;
}

PlaneAxes planeAxes(const PixelAxes& axes, Plane plane) {
  const std::array<int, 3> arrayAxis = nearestArrayAxes(axes);
  const PlaneLayout layout = layoutOf(plane);
  const auto falls = [&](int patient, int sign) {
    return sign * axes.direction[std::size_t(arrayAxis[std::size_t(patient)])][std::size_t(patient)] < 0;
  };
  PlaneAxes shown;
  shown.across = arrayAxis[std::size_t(layout.right)];
  shown.down = arrayAxis[std::size_t(layout.down)];
  shown.through = arrayAxis[std::size_t(layout.through)];
  shown.flipAcross = falls(layout.right, layout.rightSign);
  shown.flipDown = falls(layout.down, layout.downSign);
  return shown;
}

Plane nativePlane(const PixelAxes& axes) {
  for (Plane plane : imagePlanes)
    if (planeAxes(axes, plane).through == 2) return plane;
  return Plane::axial;
}

QString sideLetters(const Vec3& direction, bool nominal) {
  constexpr double leaning = 0.3;  // sine of about 17 degrees
  std::array<std::size_t, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(direction[a]) > std::abs(direction[b]); });
  static constexpr std::array<char, 3> positive{'L', 'P', 'S'}, negative{'R', 'A', 'I'}, array{'x', 'y', 'z'};
  QString letters;
  for (std::size_t axis : order) {
    if (std::abs(direction[axis]) < leaning) continue;
    if (nominal) {
      const QString sign = direction[axis] < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
      return sign + QLatin1Char(array[axis]);
    }
    letters += QLatin1Char(direction[axis] < 0 ? negative[axis] : positive[axis]);
  }
  return letters;
}

QString positionText(const Vec3& mm, bool nominal) {
  QStringList parts;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vec3 direction{0, 0, 0};
    direction[axis] = mm[axis] < 0 ? -1 : 1;
    const QString side = sideLetters(direction, nominal);
    const QString gap = nominal ? QString() : QStringLiteral(" ");
    parts += side + gap + fixedLabel(std::abs(mm[axis]), 1);
  }
  return parts.join(QStringLiteral("  ")) + QStringLiteral(" mm");
}

}  // namespace spokelab
