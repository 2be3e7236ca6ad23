#include "engine/recon/density/voronoi_weights.h"

#include <algorithm>
#include <cmath>

#include "engine/core/memory/memory_check.h"
#include "engine/recon/density/voronoi_cells.h"

namespace spokelab {
namespace {

constexpr double samePlace = 1e-5;  // over the mean distance of samples
constexpr double samePlane = 0.05;  // over the mean distance of planes

struct Plane {
  double z = 0, thickness = 1;
  std::vector<std::size_t> samples;
};

// Planes of constant kz: values in groups whose spread is far below the distance of the groups.
// Empty where the values form no groups, or every sample would be a plane.
std::vector<Plane> planesOf(const Trajectory& t, const std::vector<std::size_t>& used) {
  std::vector<std::size_t> order = used;
  const auto z = [&](std::size_t j) { return t.points[3 * j + 2]; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return z(a) < z(b); });
  const double extent = z(order.back()) - z(order.front());
  std::vector<Plane> planes;
  double tolerance = samePlane * extent / double(order.size());
  for (std::size_t j : order) {
    if (planes.empty() || z(j) - z(planes.back().samples.back()) > tolerance) {
      planes.emplace_back();
      planes.back().z = z(j);
    }
    planes.back().samples.push_back(j);
  }
  if (planes.size() < 2 || 3 * planes.size() > order.size()) return {};
  tolerance = samePlane * extent / double(planes.size() - 1);
  const std::size_t last = planes.size() - 1;
  for (std::size_t p = 0; p <= last; ++p) {
    if (z(planes[p].samples.back()) - planes[p].z > tolerance) return {};
    const double below = p > 0 ? planes[p].z - planes[p - 1].z : planes[1].z - planes[0].z;
    const double above = p < last ? planes[p + 1].z - planes[p].z : planes[p].z - planes[p - 1].z;
    planes[p].thickness = (below + above) / 2;
  }
  return planes;
}

bool weighPlane(const Trajectory& t, const Plane& plane, int threads, Buffer<double>& weights,
                const Progress& progress) {
  const auto dims = std::size_t(t.dims);
  const auto at = [&](std::size_t j) { return PlanePoint{t.points[j * dims], t.points[j * dims + 1]}; };
  PlanePoint low = at(plane.samples.front()), high = low;
  for (std::size_t j : plane.samples)
    for (std::size_t d = 0; d < 2; ++d) {
      low[d] = std::min(low[d], at(j)[d]);
      high[d] = std::max(high[d], at(j)[d]);
    }
  const double area = (high[0] - low[0]) * (high[1] - low[1]);
  if (!(area > 0)) return false;
  // Samples at one place, up to rounding, are one point.
  const double step = samePlace * std::sqrt(area / double(plane.samples.size()));
  struct Place {
    double x, y;
    std::size_t sample;
  };
  std::vector<Place> places;
  for (std::size_t j : plane.samples)
    places.push_back({std::round(at(j)[0] / step), std::round(at(j)[1] / step), j});
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<PlanePoint> points;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i == 0 || places[i].x != places[i - 1].x || places[i].y != places[i - 1].y) {
      starts.push_back(i);
      points.push_back(at(places[i].sample));
    }
  starts.push_back(places.size());
  const std::vector<double> areas = voronoiAreas(points, threads, progress);
  if (areas.empty()) return false;
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t i = starts[p]; i < starts[p + 1]; ++i)
      weights[places[i].sample] = plane.thickness * areas[p] / double(starts[p + 1] - starts[p]);
  return true;
}

}  // namespace

bool voronoiWeights(const Trajectory& t, const std::vector<char>& mask, int threads, Buffer<double>& weights,
                    const Progress& progress) {
  constexpr double perSample = 128;  // numbers of samples and places, points, their tree, areas, weights
  requireMemory(double(t.samples()) * perSample, "Cannot make density weights", "a Voronoi diagram",
                "Use density = analytic, pipe-menon or file");
  std::vector<std::size_t> used;
  for (std::size_t j = 0; j < std::size_t(t.samples()); ++j)
    if (mask.empty() || mask[j]) used.push_back(j);
  if (t.dims < 2 || used.size() < 3) return false;
  std::vector<Plane> planes;
  if (t.dims == 3) {
    planes = planesOf(t, used);
  } else {
    planes.emplace_back();
    planes.back().samples = std::move(used);
  }
  if (planes.empty()) return false;
  Buffer<double> found(std::size_t(t.samples()), 0.0);
  for (std::size_t p = 0; p < planes.size(); ++p) {
    progress.report(double(p) / double(planes.size()), "Density compensation (Voronoi)");
    if (!weighPlane(t, planes[p], threads, found, progress)) return false;
  }
  weights = std::move(found);
  return true;
}

}  // namespace spokelab
