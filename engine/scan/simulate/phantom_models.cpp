#include "engine/scan/simulate/phantom_models.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"

namespace spokelab {
namespace {

using std::numbers::pi;

// One row in the publications' units: relative to half the field of view, y upwards.
struct Row {
  double value, a, b, c, x, y, z, degrees;
};

// Shepp, Logan, IEEE Trans Nucl Sci 21 (1974), contrast of Toft, "The Radon transform" (1996).
constexpr Row head2d[] = {
    {1.0, 0.69, 0.92, 1, 0, 0, 0, 0},        {-0.8, 0.6624, 0.874, 1, 0, -0.0184, 0, 0},
    {-0.2, 0.11, 0.31, 1, 0.22, 0, 0, -18},  {-0.2, 0.16, 0.41, 1, -0.22, 0, 0, 18},
    {0.1, 0.21, 0.25, 1, 0, 0.35, 0, 0},     {0.1, 0.046, 0.046, 1, 0, 0.1, 0, 0},
    {0.1, 0.046, 0.046, 1, 0, -0.1, 0, 0},   {0.1, 0.046, 0.023, 1, -0.08, -0.605, 0, 0},
    {0.1, 0.023, 0.023, 1, 0, -0.606, 0, 0}, {0.1, 0.023, 0.046, 1, 0.06, -0.605, 0, 0},
};

// The same head in 3-D, with the centres and semi-axes along z that are in common use.
constexpr Row head3d[] = {
    {1.0, 0.69, 0.92, 0.81, 0, 0, 0, 0},         {-0.8, 0.6624, 0.874, 0.78, 0, -0.0184, 0, 0},
    {-0.2, 0.11, 0.31, 0.22, 0.22, 0, 0, -18},   {-0.2, 0.16, 0.41, 0.28, -0.22, 0, 0, 18},
    {0.1, 0.21, 0.25, 0.41, 0, 0.35, -0.15, 0},  {0.1, 0.046, 0.046, 0.05, 0, 0.1, 0.25, 0},
    {0.1, 0.046, 0.046, 0.05, 0, -0.1, 0.25, 0}, {0.1, 0.046, 0.023, 0.05, -0.08, -0.605, 0, 0},
    {0.1, 0.023, 0.023, 0.02, 0, -0.606, 0, 0},  {0.1, 0.023, 0.046, 0.02, 0.06, -0.605, 0, 0},
};

// y of the image grows towards the back of the head (LPS): the published y changes its sign.
PhantomShape ellipsoidOf(const Row& row) {
  constexpr double half = 0.5;
  PhantomShape e;
  e.centre = {half * row.x, -half * row.y, half * row.z};
  e.semiAxes = {half * row.a, half * row.b, half * row.c};
  e.angle = -row.degrees * pi / 180;
  e.value = row.value;
  return e;
}

}  // namespace

Phantom sheppLogan(int dims) {
  if (dims != 2 && dims != 3)
    throw Error("Cannot make the phantom", "it exists in 2-D and 3-D, not in " + std::to_string(dims) + "-D",
                "Ask for 2 or 3 dimensions");
  Phantom phantom;
  phantom.dims = dims;
  if (dims == 2)
    for (const Row& row : head2d) phantom.shapes.push_back(ellipsoidOf(row));
  else
    for (const Row& row : head3d) phantom.shapes.push_back(ellipsoidOf(row));
  return phantom;
}

namespace {

// Bars of a group: FOV / cycles wide, as far apart.
constexpr double barsAcross[] = {48, 64, 96, 128, 192, 256};
constexpr int barsInGroup = 4;
constexpr double bodyRadius = 0.45, bodyValue = 0.4, barValue = 0.6;
constexpr double barLength = 0.12, barDepth = 0.2;  // depth along z, in 3-D
constexpr double rowDistance = 0.17;                // of the rows of groups along y
constexpr double minSlot = 0.07, slotGap = 0.03;
constexpr double obliqueAngle = pi / 6;
// In 3-D the groups across z lie at this height, in slots narrower by this factor.
constexpr double slabHeight = 0.25, slabScale = 0.7;

double groupExtent(double across) {
  return (2 * barsInGroup - 1) / across;
}

// Four boxes along `axis` (unit vector in the x-y plane, or z), in the slot centred at `centre`.
void addGroup(Phantom& phantom, const Vec3& centre, const Vec3& axis, double across, const Vec3& halfSides,
              double angle) {
  for (int bar = 0; bar < barsInGroup; ++bar) {
    const double at = (2 * bar + 0.5) / across - groupExtent(across) / 2;
    PhantomShape box;
    box.kind = ShapeKind::box;
    for (std::size_t d = 0; d < 3; ++d) box.centre[d] = centre[d] + at * axis[d];
    box.semiAxes = halfSides;
    box.angle = angle;
    box.value = barValue;
    phantom.shapes.push_back(box);
  }
}

}  // namespace

Phantom barPhantom(int dims) {
  if (dims != 2 && dims != 3)
    throw Error("Cannot make the phantom", "it exists in 2-D and 3-D, not in " + std::to_string(dims) + "-D",
                "Ask for 2 or 3 dimensions");
  Phantom phantom;
  phantom.dims = dims;
  PhantomShape body;
  body.semiAxes = {bodyRadius, bodyRadius, bodyRadius};
  body.value = bodyValue;
  phantom.shapes.push_back(body);
  double width = 0;
  for (double across : barsAcross) width += std::max(minSlot, groupExtent(across)) + slotGap;
  double left = -(width - slotGap) / 2;
  for (double across : barsAcross) {
    const double slot = std::max(minSlot, groupExtent(across)), x = left + slot / 2;
    const double half = 0.5 / across, depth = barDepth / 2;
    addGroup(phantom, {x, rowDistance, 0}, {1, 0, 0}, across, {half, barLength / 2, depth}, 0);
    addGroup(phantom, {x, -rowDistance, 0}, {0, 1, 0}, across, {slot / 2, half, depth}, 0);
    const double c = std::cos(obliqueAngle), s = std::sin(obliqueAngle);
    addGroup(phantom, {x, 0, 0}, {c, s, 0}, across, {half, minSlot / 2, depth}, obliqueAngle);
    if (dims == 3)
      addGroup(phantom, {slabScale * x, 0, slabHeight}, {0, 0, 1}, across,
               {slabScale * slot / 2, barLength / 2, half}, 0);
    left += slot + slotGap;
  }
  return phantom;
}

Phantom tubePhantom(int dims) {
  if (dims != 2 && dims != 3)
    throw Error("Cannot make the phantom", "it exists in 2-D and 3-D, not in " + std::to_string(dims) + "-D",
                "Ask for 2 or 3 dimensions");
  constexpr int ring = 6;  // around the one in the middle
  constexpr double ringRadius = 0.27, tubeRadius = 0.11, tubeHalfLength = 0.3;
  Phantom phantom;
  phantom.dims = dims;
  for (int i = 0; i <= ring; ++i) {
    PhantomShape tube;
    const double angle = 2 * pi * i / ring;
    if (i > 0) tube.centre = {ringRadius * std::cos(angle), ringRadius * std::sin(angle), 0};
    tube.semiAxes = {tubeRadius, tubeRadius, tubeHalfLength};
    phantom.shapes.push_back(tube);
  }
  return phantom;
}

std::string phantomName(PhantomKind kind) {
  constexpr const char* names[] = {"head", "bars", "tubes"};
  return names[int(kind)];
}

Phantom makePhantom(PhantomKind kind, int dims) {
  return kind == PhantomKind::bars    ? barPhantom(dims)
         : kind == PhantomKind::tubes ? tubePhantom(dims)
                                      : sheppLogan(dims);
}

// s_c(r) = g e^{i phi_c} (1 + i m e^{-i pi u_c . r}): its magnitude grows towards the coil at
// direction u_c, and |s_c|^2 = g^2 (1 + m^2 + 2 m sin(pi u_c . r)). Opposite coils cancel the sine,
// so that the root sum of squares is exactly 1 for an even count.
std::vector<CoilMap> modelCoils(int dims, int count) {
  if (count < 1)
    throw Error("Cannot make coil maps", "the number of coils is " + std::to_string(count),
                "Ask for at least one coil");
  if (count == 1) return {CoilMap{{1.0}, {Vec3{0, 0, 0}}}};
  constexpr double modulation = 0.6;
  constexpr double tilt = pi / 6;  // out of the x-y plane, alternating, in 3-D
  const double gain = 1 / std::sqrt(count * (1 + modulation * modulation));
  const int half = count / 2;
  std::vector<CoilMap> coils;
  for (int c = 0; c < count; ++c) {
    const double angle = 2 * pi * c / count;
    Vec3 u{std::cos(angle), std::sin(angle), 0};
    if (dims == 3) {
      const bool opposite = count % 2 == 0 && c >= half;
      const int pair = opposite ? c - half : c;
      const double sign = (pair % 2 == 0 ? 1 : -1) * (opposite ? -1 : 1);
      u = {u[0] * std::cos(tilt), u[1] * std::cos(tilt), sign * std::sin(tilt)};
    }
    const cdouble amplitude = std::polar(gain, angle);
    coils.push_back({{amplitude, amplitude * cdouble(0, modulation)},
                     {Vec3{0, 0, 0}, Vec3{-u[0] / 2, -u[1] / 2, -u[2] / 2}}});
  }
  return coils;
}

}  // namespace spokelab
