// Matrix, field of view, readout oversampling and the unit of k. They belong together: the largest |k| of a
// scan lies near N/2 cycles/FOV, and each unit predicts another number for that.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/memory_check.h"
#include "engine/scan/read_steps.h"

namespace spokelab {
namespace {

constexpr double beyondEdge = 1.1;      // |k| may exceed N/2 by a little
constexpr double leastCoverage = 0.05;  // of N/2; below this the header cannot be right
constexpr double sameSize = 0.05;       // relative difference at which two sizes count as equal

std::string fovText(const Vec3& fov, int dims) {
  return numberText(fov[0]) + "x" + numberText(fov[1]) + (dims == 3 ? "x" + numberText(fov[2]) : "");
}

// "256x256x1" -> numbers; throws Error.
std::vector<double> sizes(const std::string& text, const std::string& topic, const Decisions& d) {
  std::vector<double> values;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at <= end) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(value > 0) || (next != end && *next != 'x')) {
      values.clear();
      break;
    }
    values.push_back(value);
    at = next + 1;
  }
  if (values.size() < 2 || values.size() > 3)
    throw Error(d.problem(), "\"" + text + "\" is no " + topic, "Give sizes like 256x256 or 64x64x64");
  return values;
}

bool usable(const EncodedSpace& s, int dims) {
  for (std::size_t i = 0; i < std::size_t(dims); ++i)
    if (s.matrix[i] < 2) return false;
  return true;
}

// Fields of view that the header leaves out become 1 mm a pixel; ones below 1 mm are metres.
void completeFov(EncodedSpace& s, int dims, bool& nominal, bool& metres) {
  constexpr double millimetres = 1000;
  const double largest = std::max({s.fov[0], s.fov[1], s.fov[2]});
  if (largest > 0 && largest < 1) {
    for (double& f : s.fov) f *= millimetres;
    metres = true;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (s.fov[i] > 0) continue;
    s.fov[i] = double(std::max<std::int64_t>(1, s.matrix[i]));
    if (i < std::size_t(dims)) nominal = true;
  }
}

Vec3 largestCoordinates(const RawTrajectory& raw, int storedDims) {
  Vec3 k{0, 0, 0};
  for (std::int64_t j = 0; j < raw.samples(); ++j)
    for (int c = 0; c < storedDims; ++c)
      k[std::size_t(c)] = std::max(k[std::size_t(c)], std::abs(double(raw.at(j, c))));
  return k;
}

struct Unit {
  std::string name;
  Vec3 perMm;       // stored coordinate x this = cycles/mm
  double handicap;  // units that are rare must fit better
  double coverage = 0, cost = 0;
};

// How well |k| up to `coverage` of the matrix' band fits a matrix: 0 is perfect.
double costOf(double coverage) {
  constexpr double beyondPenalty = 4, wholeMultiple = 0.01, multipleCost = 0.5, most = 4.5;
  if (!(coverage > 0)) return HUGE_VAL;
  if (coverage <= beyondEdge) return std::abs(std::log(std::min(1.0, coverage)));
  // a whole multiple of N/2 is a matrix written down too small
  const double nearest = std::round(coverage);
  if (nearest <= most && std::abs(coverage / nearest - 1) < wholeMultiple) return multipleCost;
  return beyondPenalty * std::log(coverage);
}

std::vector<Unit> unitsFor(const EncodingSpace& space, const EncodedSpace& reference, bool nominal) {
  constexpr double rare = 0.3, veryRare = 0.5, withoutFov = 2;
  const auto each = [](auto f) { return Vec3{f(0), f(1), f(2)}; };
  const auto& recon = space.recon.fov;
  const auto& encoded = space.encoded.fov;
  const Vec3 pixel = each([&](std::size_t i) { return double(reference.matrix[i]) / reference.fov[i]; });
  const double physical = rare + (nominal ? withoutFov : 0);
  std::vector<Unit> units = {
      {"cycles/FOV", each([&](std::size_t i) { return 1 / recon[i]; }), 0},
      {"cycles/pixel", pixel, 0},
      {"radians/pixel", each([&](std::size_t i) { return pixel[i] / (2 * std::numbers::pi); }), 0},
      {"1/m", {1e-3, 1e-3, 1e-3}, physical},
      {"1/cm", {0.1, 0.1, 0.1}, physical + veryRare - rare},
      {"1/mm", {1, 1, 1}, physical + veryRare - rare},
  };
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(encoded[i] / recon[i] - 1) > sameSize) {
      constexpr double slight = 0.05;
      units.push_back({"cycles/encoded-FOV", each([&](std::size_t a) { return 1 / encoded[a]; }), slight});
      break;
    }
  return units;
}

struct Fit {
  Unit unit;
  EncodedSpace reference;
};

void rate(Unit& unit, const Vec3& k, const EncodedSpace& reference, int dims) {
  unit.coverage = 0;
  for (std::size_t i = 0; i < std::size_t(dims); ++i)
    unit.coverage =
        std::max(unit.coverage, k[i] * unit.perMm[i] * 2 * reference.fov[i] / double(reference.matrix[i]));
  unit.cost = costOf(unit.coverage) + unit.handicap;
}

}  // namespace

ImageSpace decideSpace(const RawTrajectory& raw, const Columns& columns, const EncodingSpace& header,
                       std::int64_t partitions, const std::string& unitRemark, Decisions& d) {
  const int dims = columns.dims;
  const int storedDims = columns.partition >= 0 ? 2 : dims;
  EncodingSpace space = header;
  const Vec3 k = largestCoordinates(raw, storedDims);
  if (!(std::max(k[0], k[1]) > 0)) throw Error(d.problem(), "its trajectory is 0 throughout", "");

  // --- matrix
  std::string matrixEvidence = "the header's reconstructed space";
  if (!usable(space.recon, dims) && usable(space.encoded, dims)) {
    matrixEvidence = "the header's encoded space (its reconstructed space has none)";
    space.recon = space.encoded;
  }
  if (dims == 3 && space.recon.matrix[2] < 2)
    space.recon.matrix[2] = std::max(header.encoded.matrix[2], partitions);
  if (dims == 3 && space.recon.matrix[2] < 2 && storedDims == 3) {
    space.recon.matrix[2] = 2 * std::max<std::int64_t>(1, std::int64_t(std::ceil(k[2] - sameSize)));
    matrixEvidence += "; along z from kz";
  }
  if (dims == 2) space.recon.matrix[2] = space.encoded.matrix[2] = 1;
  if (!usable(space.recon, dims)) {
    const double most = 65535;
    if (std::max(k[0], k[1]) <= beyondEdge * std::numbers::pi || std::max({k[0], k[1], k[2]}) > most)
      throw Error(d.problem(), "its header gives no matrix",
                  "Set it with the decision matrix, for example 256x256");
    for (std::size_t i = 0; i < std::size_t(dims); ++i)
      space.recon.matrix[i] = 2 * std::max<std::int64_t>(1, std::int64_t(std::ceil(k[i] - sameSize)));
    matrixEvidence = "the header gives none; the trajectory reaches " + numberText(std::max(k[0], k[1]));
  }
  if (!usable(space.encoded, dims)) space.encoded = space.recon;
  bool nominal = false, metres = false;
  completeFov(space.recon, dims, nominal, metres);
  completeFov(space.encoded, dims, nominal, metres);

  const std::string userMatrix = d.override("matrix"), userFov = d.override("fov");
  if (!userMatrix.empty()) {
    const std::vector<double> n = sizes(userMatrix, "matrix", d);
    for (std::size_t i = 0; i < n.size() && i < std::size_t(dims); ++i)
      space.recon.matrix[i] = std::int64_t(n[i]);
    space.encoded = space.recon;
  }
  if (!userFov.empty()) {
    const std::vector<double> f = sizes(userFov, "fov", d);
    for (std::size_t i = 0; i < f.size(); ++i) space.recon.fov[i] = f[i];
    space.encoded = space.recon;
    nominal = false;
  }

  // --- oversampling: the encoded field of view is larger than the image's
  const double ratio = space.encoded.fov[0] / space.recon.fov[0];
  const double matrixRatio = double(space.encoded.matrix[0]) / double(space.recon.matrix[0]);
  ImageSpace image;
  image.matrix = space.recon.matrix;
  image.fov = space.recon.fov;
  if (ratio > 1 + sameSize || !d.override("oversampling").empty()) {
    const std::string evidence =
        "encoded " + sizeText(space.encoded.matrix, dims) + " over " + fovText(space.encoded.fov, dims) +
        " mm, reconstructed " + sizeText(space.recon.matrix, dims) + " over " +
        fovText(space.recon.fov, dims) + " mm: a factor of " + numberText(ratio) + " along the readout";
    if (d.settle("oversampling", "remove", evidence, {"remove", "keep"}) == "keep") {
      image.matrix = space.encoded.matrix;
      image.fov = space.encoded.fov;
    }
  } else if (std::abs(matrixRatio - 1) > sameSize) {
    matrixEvidence += "; the encoded matrix " + sizeText(space.encoded.matrix, dims) +
                      " has the same field of view: taken as the number of samples or an interpolation";
  }

  // --- unit
  Fit best{{"", {}, 0, 0, HUGE_VAL}, {}};
  const std::string userUnit = d.override("k-unit");
  std::vector<EncodedSpace> references = {space.recon};
  if (std::abs(matrixRatio / ratio - 1) > sameSize) references.push_back(space.encoded);
  std::string rest;
  std::vector<std::string> alternatives;
  for (const EncodedSpace& reference : references)
    for (Unit& unit : unitsFor(space, reference, nominal)) {
      rate(unit, k, reference, storedDims);
      if (&reference == &references.front()) alternatives.push_back(unit.name);
      if (!userUnit.empty() ? unit.name == userUnit && unit.cost < best.unit.cost
                            : unit.cost < best.unit.cost)
        best = {unit, reference};
    }
  if (best.unit.name.empty()) throw Error(d.problem(), "the unit " + userUnit + " does not apply to it", "");
  const std::string reach = "max |k| = " + numberText(std::max({k[0], k[1], k[2]}));
  std::string evidence = reach + ", matrix " + sizeText(best.reference.matrix, dims) + ": " +
                         numberText(best.unit.coverage) + " of N/2";
  if (!unitRemark.empty()) evidence += "; the header says " + unitRemark;
  d.settle("k-unit", best.unit.name, evidence, alternatives);

  // --- a header that lies about the matrix
  const bool userSaid = !userMatrix.empty() || !userUnit.empty();
  const bool tooSmall = best.unit.coverage > beyondEdge;
  if (!userSaid && tooSmall && best.unit.cost - best.unit.handicap <= 1) {
    const auto factor = std::int64_t(std::lround(best.unit.coverage));
    for (std::size_t i = 0; i < std::size_t(storedDims); ++i) image.matrix[i] *= factor;
    matrixEvidence = "the header says " + sizeText(space.recon.matrix, dims) + ", the trajectory reaches " +
                     std::to_string(factor) + " times as far";
    d.warn("The header's matrix " + sizeText(space.recon.matrix, dims) + " does not fit the trajectory; " +
           sizeText(image.matrix, dims) + " is used");
  } else if (!userSaid && (tooSmall || best.unit.coverage < leastCoverage)) {
    throw Error(d.problem(),
                "its header's matrix " + sizeText(space.recon.matrix, dims) +
                    " does not fit its trajectory (" + reach + ") in any unit",
                "Set the decisions matrix and k-unit");
  } else if (tooSmall) {
    d.warn("The trajectory reaches " + numberText(best.unit.coverage) + " times as far as the matrix");
  }
  requireMemory(double(product(image.matrix)) * sizeof(cfloat), d.problem(),
                "an image of " + sizeText(image.matrix, dims), "Set the decision matrix");
  if (userMatrix.empty())
    d.note("matrix", sizeText(image.matrix, dims), matrixEvidence);
  else
    d.settle("matrix", sizeText(header.recon.matrix, dims), "the header's reconstructed space", {});
  if (userFov.empty())
    d.note("fov", fovText(image.fov, 3),
           metres ? "mm; the header's numbers are below 1 and were taken as metres"
                  : (nominal ? "mm; the header gives none: 1 mm a pixel" : "mm, from the header"));
  else
    d.settle("fov", fovText(header.recon.fov, 3), "mm, from the header", {});

  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < 3; ++i) {
    image.scale[i] = best.unit.perMm[i] * image.fov[i];
    if (std::abs(image.scale[i] - 1) < rounding) image.scale[i] = 1;
  }
  if (columns.partition >= 0) image.scale[2] = 1;
  image.nominal = nominal;
  return image;
}

}  // namespace spokelab
