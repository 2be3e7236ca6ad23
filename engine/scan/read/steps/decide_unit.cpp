#include "engine/scan/read/steps/decide_unit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double edgeRounding = 1e-3;

struct Unit {
  std::string name;
  Vec3 perMm{};         // stored coordinate x this = cycles/mm
  double handicap = 0;  // units that are rare must fit better
  bool rare = false, perPixel = false, perLength = false;
  double coverage = 0, cost = HUGE_VAL;
  std::optional<Vec3> fov{};  // of UnitFit
};

// Two, three or four times N/2: a matrix that was written down too small.
bool isWholeMultiple(double coverage) {
  constexpr double maxMultiple = 4.5, tolerance = 0.01;
  const double nearest = std::round(coverage);
  return nearest > 1 && nearest <= maxMultiple && std::abs(coverage / nearest - 1) < tolerance;
}

// Cost of |k| that reaches `coverage` of the matrix' band; 0 is a perfect fit.
double costOf(double coverage) {
  constexpr double beyondPenalty = 4, multipleCost = 0.5;
  if (!(coverage > 0)) return HUGE_VAL;
  if (coverage <= maxBandExcess) return std::abs(std::log(std::min(1.0, coverage)));
  if (isWholeMultiple(coverage)) return multipleCost;
  return beyondPenalty * std::log(coverage);
}

std::vector<Unit> unitsFor(const EncodingSpace& space, const EncodedSpace& reference) {
  constexpr double rare = 0.3, veryRare = 0.5;
  const auto each = [](auto f) { return Vec3{f(0), f(1), f(2)}; };
  const auto& recon = space.recon.fov;
  const auto& encoded = space.encoded.fov;
  constexpr double degreesPerCycle = 360;
  const Vec3 pixel = each([&](std::size_t i) { return double(reference.matrix[i]) / reference.fov[i]; });
  std::vector<Unit> units = {
      {"cycles/FOV", each([&](std::size_t i) { return 1 / recon[i]; }), 0},
      {"cycles/pixel", pixel, 0, false, true},
      {"radians/pixel", each([&](std::size_t i) { return pixel[i] / (2 * std::numbers::pi); }), 0, false,
       true},
      {"1/m", {1e-3, 1e-3, 1e-3}, rare, true, false, true},
      {"1/cm", {0.1, 0.1, 0.1}, veryRare, true, false, true},
      {"1/mm", {1, 1, 1}, veryRare, true, false, true},
      {"radians/m", each([](std::size_t) { return 1e-3 / (2 * std::numbers::pi); }), veryRare, true, false,
       true},
      {"radians/mm", each([](std::size_t) { return 1 / (2 * std::numbers::pi); }), veryRare, true, false,
       true},
      {"degrees/pixel", each([&](std::size_t i) { return pixel[i] / degreesPerCycle; }), 2 * rare, true,
       true},
  };
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(encoded[i] / recon[i] - 1) > sameSize) {
      constexpr double slight = 0.05;
      units.push_back({"cycles/encoded-FOV", each([&](std::size_t a) { return 1 / encoded[a]; }), slight});
      break;
    }
  return units;
}

// The field of view with which coordinates of this unit reach N/2, if people measure such one.
std::optional<Vec3> fovOfReach(const Unit& unit, const Vec3& k, const EncodedSpace& reference, int dims) {
  constexpr double minInPlane = 20, minSlab = 10, maxFov = 600;  // mm
  Vec3 fov = reference.fov;
  for (std::size_t i = 0; i < std::size_t(dims); ++i) {
    if (!(k[i] > 0)) return std::nullopt;
    fov[i] = double(reference.matrix[i]) / (2 * k[i] * unit.perMm[i]);
    if (fov[i] < (i < 2 ? minInPlane : minSlab) || fov[i] > maxFov) return std::nullopt;
  }
  return fov;
}

// Fields of view are chosen in steps of 5 mm.
bool isRound(const Vec3& fov) {
  constexpr double step = 5, tolerance = 1e-4;
  return std::all_of(fov.begin(), fov.begin() + 2,
                     [](double f) { return std::abs(f - step * std::round(f / step)) < tolerance * f; });
}

// Without a field of view every unit of length fits: rated lower, a little higher if it is round.
void rateWithoutFov(Unit& unit, const Vec3& k, const EncodedSpace& reference, int dims) {
  constexpr double withFittingFov = 0.6, notRound = 0.5, withoutFov = 2;
  unit.fov = fovOfReach(unit, k, reference, dims);
  unit.handicap += unit.fov ? withFittingFov + (isRound(*unit.fov) ? 0 : notRound) : withoutFov;
  if (!unit.fov) return;
  if (isRound(*unit.fov))  // coordinates in single precision
    for (std::size_t i = 0; i < 2; ++i) (*unit.fov)[i] = std::round((*unit.fov)[i]);
  unit.coverage = 1;
  unit.cost = unit.handicap;
}

void rate(Unit& unit, const Vec3& k, const EncodedSpace& reference, int dims, bool nominal) {
  if (nominal && unit.perLength) rateWithoutFov(unit, k, reference, dims);
  if (unit.fov) return;
  unit.coverage = 0;
  for (std::size_t i = 0; i < std::size_t(dims); ++i)
    unit.coverage =
        std::max(unit.coverage, k[i] * unit.perMm[i] * 2 * reference.fov[i] / double(reference.matrix[i]));
  unit.cost = costOf(unit.coverage) + unit.handicap;
  // A rare unit must not excuse a header that fits nothing.
  constexpr double minRareCoverage = 0.4, excludedCost = 100;
  if (unit.rare && unit.coverage < minRareCoverage) unit.cost += excludedCost;
}

}  // namespace

UnitFit decideUnit(const Vec3& k, int dims, const EncodingSpace& space, bool nominalFov, bool noMatrix,
                   const std::string& remark, Decisions& d) {
  const double fovRatio = space.encoded.fov[0] / space.recon.fov[0];
  const double matrixRatio = double(space.encoded.matrix[0]) / double(space.recon.matrix[0]);
  std::vector<EncodedSpace> references = {space.recon};
  constexpr double maxInterpolation = 4;  // images are zero-filled to a finer matrix, within reason
  const double interpolation = fovRatio / matrixRatio;
  if (std::abs(interpolation - 1) > sameSize && interpolation <= maxInterpolation)
    references.push_back(space.encoded);

  const std::string wanted = d.override("k-unit");
  Unit best;
  Index3 bestMatrix = space.recon.matrix;
  std::vector<std::string> alternatives;
  // The least cost of each unit over the references.
  std::map<std::string, double> costs;
  constexpr double byFov = 0.3;
  for (const EncodedSpace& reference : references)
    for (Unit& unit : unitsFor(space, reference)) {
      rate(unit, k, reference, dims, nominalFov);
      const auto cost = costs.try_emplace(unit.name, HUGE_VAL).first;
      cost->second = std::min(cost->second, unit.cost - (unit.fov ? byFov : 0));
      if (&reference == &references.front()) alternatives.push_back(unit.name);
      if ((wanted.empty() || unit.name == wanted) && unit.cost < best.cost) {
        best = unit;
        bestMatrix = reference.matrix;
      }
    }
  if (best.name.empty())
    throw Error(d.problem(), "the unit " + wanted + " does not apply to it", "Choose another");
  std::string evidence = "max |k| = " + numberText(std::max({k[0], k[1], k[2]})) + ", matrix " +
                         sizeText(bestMatrix, space.recon.matrix[2] > 1 ? 3 : 2) + ": " +
                         (best.fov ? "N/2 over a field of view of " + numberText((*best.fov)[0]) + " mm"
                                   : numberText(best.coverage) + " of N/2");
  if (!remark.empty()) evidence += "; the header says " + remark;
  constexpr double nearlyAsGood = 0.2;  // a factor of 1.2 in the coverage
  // Coordinates without a matrix, past its edge, or that leave it mostly empty, prove no unit.
  constexpr double fillsMatrix = 0.65;
  const bool passesEdge = nominalFov && best.perPixel && best.coverage > 1 + edgeRounding;
  const bool question =
      remark.empty() && (noMatrix || passesEdge || best.fov || best.coverage < fillsMatrix ||
                         std::any_of(costs.begin(), costs.end(), [&](const auto& other) {
                           return other.first != best.name && other.second < best.cost + nearlyAsGood;
                         }));
  d.decide("k-unit", best.name, evidence, alternatives, question);
  return {best.perMm, best.coverage, isWholeMultiple(best.coverage), best.perPixel, best.fov};
}

}  // namespace spokelab
