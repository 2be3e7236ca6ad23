// Streams of ISMRMRD messages for tests, and SPARKLING's trajectory files.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/engine/scan/variant_file.h"

namespace spokelab::test {

template <class T>
void appendNumber(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Header, acquisitions and, with `close`, the closing message.
inline std::string streamOf(const std::string& xml, const std::vector<TestAcquisition>& acquisitions,
                            bool close = true) {
  std::string bytes;
  appendNumber(bytes, std::uint16_t{3});
  appendNumber(bytes, std::uint32_t(xml.size()));
  bytes += xml;
  for (const TestAcquisition& a : acquisitions) {
    appendNumber(bytes, std::uint16_t{1008});
    appendNumber(bytes, a.head);
    bytes.append(reinterpret_cast<const char*>(a.trajectory.data()), a.trajectory.size() * sizeof(float));
    bytes.append(reinterpret_cast<const char*>(a.samples.data()),
                 a.samples.size() * sizeof(std::complex<float>));
  }
  if (close) appendNumber(bytes, std::uint16_t{4});
  return bytes;
}

// Version 5.0 of mri-nufft: points [shot][sample][dim] in 1/m, one a raster of 10 us. Their last
// step is repeated, so that as many points come back.
inline std::string sparklingOf(const std::vector<double>& points, int shots, int samples, int dims,
                               double fovMm, int matrix) {
  constexpr double gamma = 42.576e6, rasterMs = 0.01;
  std::vector<float> f = {5.0f, float(dims)};
  for (int d = 0; d < dims; ++d) f.push_back(float(fovMm / 1e3));
  for (int d = 0; d < dims; ++d) f.push_back(float(matrix));
  f.insert(f.end(), {5.0f, float(gamma), float(shots), float(samples), 0.5f});
  const auto at = [&](int s, int n, int d) { return points[std::size_t((s * samples + n) * dims + d)]; };
  double most = 0;
  const double scale = 1e-3 * rasterMs * gamma / 1e3;  // 1/m for a gradient of 1 mT/m
  for (int s = 0; s < shots; ++s)
    for (int n = 0; n + 1 < samples; ++n)
      for (int d = 0; d < dims; ++d) most = std::max(most, std::abs(at(s, n + 1, d) - at(s, n, d)) / scale);
  f.insert(f.end(), {float(most), 1.1f, 1.6e9f});
  f.insert(f.end(), 9, 0.0f);
  for (int s = 0; s < shots; ++s)
    for (int d = 0; d < dims; ++d) f.push_back(float(at(s, 0, d)));
  for (int s = 0; s < shots; ++s)
    for (int d = 0; d < dims; ++d) f.push_back(float(at(s, samples - 1, d)));
  for (int s = 0; s < shots; ++s)
    for (int n = 0; n < samples; ++n)
      for (int d = 0; d < dims; ++d) {
        const int from = std::min(n, samples - 2);
        f.push_back(float((at(s, from + 1, d) - at(s, from, d)) / scale / most));
      }
  return {reinterpret_cast<const char*>(f.data()), f.size() * sizeof(float)};
}

}  // namespace spokelab::test
