#include "engine/recon/field/second_order.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spokelab {
namespace {

constexpr double metresPerMm = 1e-3;
constexpr double tinyTurns = 1e-7;  // below the rounding of a phase in single precision

double largestOf(const double* values, std::size_t count) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::abs(values[i]));
  return most;
}

// x² + y², z², x z, y z of each pixel, m².
std::vector<double> placesOf(const Geometry& geometry, const Directions& along, int dims) {
  const Index3 matrix = {geometry.matrix[0], geometry.matrix[1], dims == 3 ? geometry.matrix[2] : 1};
  const Vec3 voxel = geometry.voxel();
  const auto pixels = std::size_t(product(matrix));
  std::vector<double> places(std::size_t(maxPhaseForms) * pixels);
  std::size_t n = 0;
  for (std::int64_t z = 0; z < matrix[2]; ++z)
    for (std::int64_t y = 0; y < matrix[1]; ++y)
      for (std::int64_t x = 0; x < matrix[0]; ++x, ++n) {
        const double steps[] = {double(x - matrix[0] / 2) * voxel[0], double(y - matrix[1] / 2) * voxel[1],
                                dims == 3 ? double(z - matrix[2] / 2) * voxel[2] : 0};
        Vec3 r;
        for (std::size_t i = 0; i < 3; ++i)
          r[i] = (steps[0] * along.read[i] + steps[1] * along.phase[i] + steps[2] * along.slice[i]) *
                 metresPerMm;
        const double values[] = {r[0] * r[0] + r[1] * r[1], r[2] * r[2], r[0] * r[2], r[1] * r[2]};
        for (std::size_t f = 0; f < std::size_t(maxPhaseForms); ++f) places[f * pixels + n] = values[f];
      }
  return places;
}

}  // namespace

PhaseForms secondOrderForms(const Trajectory& trajectory, const Geometry& geometry, std::size_t slice) {
  PhaseForms forms;
  const std::size_t samples = trajectory.secondOrder.size();
  if (samples == 0) return forms;
  const std::vector<double> places = placesOf(geometry, geometry.directionsOf(slice), trajectory.dims);
  const std::size_t pixels = places.size() / std::size_t(maxPhaseForms);
  for (std::size_t f = 0; f < std::size_t(maxPhaseForms); ++f) {
    std::vector<double> turns(samples);
    for (std::size_t j = 0; j < samples; ++j) {
      const SecondOrder& s = trajectory.secondOrder[j];
      turns[j] = f == 0 ? s.xx : f == 1 ? s.zz : 2 * (f == 2 ? s.xz : s.yz);
    }
    const double* const place = places.data() + f * pixels;
    if (largestOf(turns.data(), samples) * largestOf(place, pixels) < tinyTurns) continue;
    ++forms.count;
    forms.turns.insert(forms.turns.end(), turns.begin(), turns.end());
    forms.places.insert(forms.places.end(), place, place + pixels);
  }
  return forms;
}

double largestPhase(const PhaseForms& forms) {
  if (forms.empty()) return 0;
  const auto count = std::size_t(forms.count);
  const std::size_t samples = forms.turns.size() / count, pixels = forms.places.size() / count;
  double turns = 0;
  for (std::size_t f = 0; f < count; ++f)
    turns += largestOf(forms.turns.data() + f * samples, samples) *
             largestOf(forms.places.data() + f * pixels, pixels);
  return 2 * std::numbers::pi * turns;
}

}  // namespace spokelab
