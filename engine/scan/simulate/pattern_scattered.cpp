// Points at random: uniform over the band, Gaussian about its centre ([multicore-nufft]
// II.C), all in one small box at a corner ([cufinufft] IV), or near the points of a Cartesian grid.
// They depend on seed and index only.
#include <algorithm>
#include <cmath>

#include "engine/scan/simulate/patterns.h"
#include "engine/scan/simulate/random_numbers.h"

namespace spokelab::patterns {
namespace {

// Lines of the Cartesian pattern along y, and the points' distance along x and y, cycles/FOV.
struct Lattice {
  double lines = 1, samples = 1, stepX = 1, stepY = 1;
};

Lattice latticeOf(const TrajectoryOptions& o) {
  const double nx = double(o.matrix[0]), ny = double(o.matrix[1]);
  Lattice l;
  l.lines = o.shots > 0 ? double(o.shots) : std::ceil(ny / o.acceleration);
  l.samples = o.samplesPerShot > 0 ? o.samplesPerShot : nx;
  l.stepX = nx / l.samples;
  l.stepY = ny / l.lines;
  return l;
}

void appendLattice(const TrajectoryOptions& o, Trajectory& t) {
  const Lattice l = latticeOf(o);
  std::uint64_t drawn = 0;
  const auto push = [&](double k, double step, std::int64_t n) {
    const double moved = k + (uniformNumber(o.seed, drawn++) - 0.5) * o.jitter * step;
    t.points.push_back(std::clamp(moved, -double(n) / 2, double(n) / 2));
  };
  for (std::int64_t z = 0; z < o.matrix[2]; ++z)
    for (std::int64_t y = 0; y < std::int64_t(l.lines); ++y) {
      for (std::int64_t x = 0; x < std::int64_t(l.samples); ++x) {
        push(double(x) * l.stepX - double(o.matrix[0] / 2), l.stepX, o.matrix[0]);
        push(double(y) * l.stepY - double(o.matrix[1] / 2), l.stepY, o.matrix[1]);
        if (t.dims == 3) push(double(z - o.matrix[2] / 2), 1, o.matrix[2]);
        t.weights.push_back(l.stepX * l.stepY);
      }
      t.shotOffsets.push_back(t.shotOffsets.back() + std::int64_t(l.samples));
    }
}

// A normal number of standard deviation 1 within +-limit: drawn again until it is.
double truncatedNormal(std::uint64_t seed, std::uint64_t index, double limit) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const double value = complexNormal(mixBits(seed + (attempt << 32)), index).real();
    if (std::abs(value) <= limit) return value;
  }
}

double coordinate(const TrajectoryOptions& o, std::uint64_t index, std::size_t axis) {
  const double n = double(o.matrix[axis]);
  switch (o.pattern) {
    case Pattern::gaussian:
      return n * o.gaussianWidth * truncatedNormal(o.seed, index, 0.5 / o.gaussianWidth);
    case Pattern::clustered:
      return uniformNumber(o.seed, index) * o.clusterSize - n / 2;
    default:
      return (uniformNumber(o.seed, index) - 0.5) * n;
  }
}

}  // namespace

Counts countScattered(const TrajectoryOptions& o) {
  if (o.pattern == Pattern::jittered) {
    const Lattice l = latticeOf(o);
    const double lines = l.lines * double(o.matrix[2]);
    return {lines, l.samples, lines * l.samples};
  }
  const double total = std::ceil(double(product(o.matrix)) / o.acceleration);
  const double n = double(*std::max_element(o.matrix.begin(), o.matrix.end()));
  Counts c;
  c.samples = std::min(n, total);
  if (o.shots > 0) c.samples = std::ceil(total / o.shots);
  if (o.samplesPerShot > 0) c.samples = o.samplesPerShot;
  c.shots = o.shots > 0 ? double(o.shots) : std::ceil(total / c.samples);
  c.total = c.shots * c.samples;
  if (o.shots == 0 || o.samplesPerShot == 0) c.total = std::min(c.total, total);
  return c;
}

void buildScattered(const TrajectoryOptions& o, Trajectory& t) {
  if (o.pattern == Pattern::jittered) return appendLattice(o, t);
  const Counts c = countScattered(o);
  const auto dims = std::uint64_t(t.dims);
  const auto total = std::int64_t(c.total);
  for (std::uint64_t i = 0; i < std::uint64_t(total) * dims; ++i)
    t.points.push_back(coordinate(o, i, std::size_t(i % dims)));
  for (std::int64_t s = 1; s <= std::int64_t(c.shots); ++s)
    t.shotOffsets.push_back(std::min(total, s * std::int64_t(c.samples)));
}

}  // namespace spokelab::patterns
