#include "engine/scan/read/steps/decide_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

struct Axes {
  std::array<int, 3> axis{0, 1, 2};  // of each stored column
  std::array<int, 3> sign{1, 1, 1};
};

std::string nameOf(const Axes& a, int dims) {
  std::string text;
  for (std::size_t i = 0; i < std::size_t(dims); ++i) {
    if (a.sign[i] < 0) text += '-';
    text += "xyz"[a.axis[i]];
  }
  return text;
}

Axes parseAxes(const std::string& text, int dims, const Decisions& d) {
  Axes a;
  std::size_t n = 0;
  int sign = 1;
  unsigned seen = 0;
  bool sound = true;
  for (const char c : text) {
    if (c == '-' && sign > 0) {
      sign = -1;
      continue;
    }
    const int axis = c - 'x';
    sound = sound && axis >= 0 && axis < dims && n < std::size_t(dims) && !((seen >> axis) & 1U);
    if (!sound) break;
    seen |= 1U << axis;
    a.axis[n] = axis;
    a.sign[n++] = sign;
    sign = 1;
  }
  if (!sound || n != std::size_t(dims) || sign < 0)
    throw Error(d.problem(),
                "\"" + text + "\" does not name each of its " + std::to_string(dims) + " axes once",
                dims == 2 ? "Use xy, yx, -xy and so on" : "Use xyz, zyx, -xyz and so on");
  return a;
}

// Unevenness over an image's band: largest over smallest |k| / (N/2), in the best unit.
double unevenness(const Vec3& k, const Axes& a, int dims, const EncodedSpace& space) {
  double best = HUGE_VAL;
  for (int unit = 0; unit < 3; ++unit) {  // cycles/FOV, per pixel, per mm
    double low = HUGE_VAL, high = 0;
    for (std::size_t i = 0; i < std::size_t(dims); ++i) {
      const auto axis = std::size_t(a.axis[i]);
      const double n = double(space.matrix[axis]);
      const double edge = unit == 0 ? n : unit == 1 ? 1 : n / space.fov[axis];
      low = std::min(low, k[i] / edge);
      high = std::max(high, k[i] / edge);
    }
    if (low > 0) best = std::min(best, high / low);
  }
  return best;
}

std::vector<Axes> permutations(int dims) {
  std::vector<Axes> all;
  std::array<int, 3> order{0, 1, 2};
  do {
    Axes a;
    a.axis = order;
    all.push_back(a);
  } while (std::next_permutation(order.begin(), order.begin() + dims));
  return all;
}

std::vector<std::string> alternatives(const Axes& chosen, int dims) {
  std::vector<std::string> names;
  for (const Axes& p : permutations(dims)) names.push_back(nameOf(p, dims));
  for (unsigned signs = 1; signs < (1U << dims); ++signs) {
    Axes turned = chosen;
    for (std::size_t i = 0; i < std::size_t(dims); ++i)
      if ((signs >> i) & 1U) turned.sign[i] = -1;
    names.push_back(nameOf(turned, dims));
    if (dims > 2) continue;
    std::swap(turned.axis[0], turned.axis[1]);
    names.push_back(nameOf(turned, dims));
  }
  return names;
}

}  // namespace

void decideAxes(RawTrajectory& raw, int dims, const EncodingSpace& space, Decisions& d) {
  constexpr double even = 1.1, clearly = 1.3;
  const Vec3 k = largestCoordinates(raw, dims);
  const EncodedSpace& image = space.recon.matrix[0] > 1 ? space.recon : space.encoded;
  bool known = true;
  for (std::size_t i = 0; i < std::size_t(dims); ++i)
    known = known && image.matrix[i] > 1 && image.fov[i] > 0;

  Axes automatic;
  std::string evidence = "as stored; swapped or turned columns give a turned or mirrored picture";
  if (known) {
    const double asStored = unevenness(k, automatic, dims, image);
    for (const Axes& p : permutations(dims)) {
      const double u = unevenness(k, p, dims, image);
      if (asStored > clearly && u < even && u < unevenness(k, automatic, dims, image)) automatic = p;
    }
    if (nameOf(automatic, dims) != nameOf(Axes(), dims)) {
      evidence = "the columns reach";
      for (std::size_t i = 0; i < std::size_t(dims); ++i) evidence += (i ? ", " : " ") + numberText(k[i]);
      evidence += ", the matrix is " + sizeText(image.matrix, dims) + ": they fit in this order only";
    }
  }
  const std::string choice =
      d.decide("axes", nameOf(automatic, dims), evidence, alternatives(automatic, dims));
  const Axes axes = parseAxes(choice, dims, d);
  if (choice == nameOf(Axes(), dims)) return;
  for (std::int64_t j = 0; j < raw.samples(); ++j) {
    double* point = raw.values.data() + j * raw.columns;
    std::array<double, 3> stored{};
    std::copy_n(point, dims, stored.begin());
    for (std::size_t i = 0; i < std::size_t(dims); ++i)
      point[axes.axis[i]] = axes.sign[i] > 0 ? stored[i] : -stored[i];
  }
}

}  // namespace spokelab
