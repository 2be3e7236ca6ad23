// Five blobs off the centre, whose k-space is known: samples for tests of trajectories.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "engine/scan/read/named/named_points.h"
#include "engine/scan/read/named/self_consistency.h"

namespace spokelab::test {

// At a point in cycles/FOV; coils differ in the blobs' sizes.
inline cdouble blobs(const double* k, int dims, std::size_t coil) {
  constexpr double places[5][3] = {
      {-0.2, 0.1, 0.15}, {0.25, 0.2, -0.1}, {0.05, -0.3, 0.2}, {-0.1, -0.15, -0.25}, {0.3, -0.05, 0.05}};
  constexpr double pi = std::numbers::pi;
  cdouble sum = 0;
  for (int b = 0; b < 5; ++b) {
    const double width = 0.04 + 0.01 * b, size = 1 + 0.3 * ((b + int(coil)) % 3);
    double turns = 0, square = 0;
    for (int d = 0; d < dims; ++d) {
      turns += k[d] * places[b][d];
      square += k[d] * k[d];
    }
    sum += size * std::exp(-pi * pi * width * width * square) * std::polar(1.0, -2 * pi * turns);
  }
  return sum;
}

// Samples at points [shot, sample, dims] with noise; snr: rms of the samples over that of the
// noise, 0: none.
inline CentreSamples blobSamples(const std::vector<double>& points, const NamedShape& shape, int dims,
                                 std::size_t coils, double snr) {
  CentreSamples s{shape.shots, shape.samples, {}};
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t c = 0; c < coils; ++c) {
    std::vector<cfloat>& all = s.coils.emplace_back();
    double energy = 0;
    for (std::size_t j = 0; j < std::size_t(shape.shots * shape.samples); ++j) {
      all.push_back(cfloat(blobs(points.data() + j * std::size_t(dims), dims, c)));
      energy += std::norm(all.back());
    }
    if (!(snr > 0)) continue;
    const double deviation = std::sqrt(energy / double(all.size()) / 2) / snr;
    for (cfloat& v : all) v += cfloat(cdouble(normal(random), normal(random)) * deviation);
  }
  return s;
}

}  // namespace spokelab::test
