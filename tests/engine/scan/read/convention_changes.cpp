#include "tests/engine/scan/read/convention_changes.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "tests/engine/scan/read/variant_reader.h"

namespace spokelab::test {
namespace {

double radius(const TestAcquisition& a, std::size_t sample, int dims) {
  double square = 0;
  for (int c = 0; c < dims; ++c)
    square += std::pow(double(a.trajectory[sample * a.head.trajectory_dimensions + std::size_t(c)]), 2);
  return std::sqrt(square);
}

void reverseSamples(TestAcquisition& a) {
  const std::ptrdiff_t n = a.head.number_of_samples;
  for (std::ptrdiff_t c = 0; c < a.head.active_channels; ++c)
    std::reverse(a.samples.begin() + c * n, a.samples.begin() + (c + 1) * n);
}
void reverseTrajectory(TestAcquisition& a) {
  const std::ptrdiff_t n = a.head.number_of_samples, columns = a.head.trajectory_dimensions;
  std::vector<float> turned;
  for (std::ptrdiff_t i = n; i-- > 0;)
    turned.insert(turned.end(), a.trajectory.begin() + i * columns, a.trajectory.begin() + (i + 1) * columns);
  a.trajectory = turned;
}

}  // namespace

const std::vector<NamedChange>& changes() {
  constexpr double pi = std::numbers::pi;
  static const std::vector<NamedChange> all = {
      {"as it is", Answer::right, [](Variant&) {}},
      {"k in cycles/pixel", Answer::right,
       [](Variant& v) {
         v.scaleAxes([&](std::size_t d) { return 1.0 / double(v.scan.geometry.matrix[d]); });
       }},
      {"k in radians/pixel", Answer::right,
       [](Variant& v) {
         v.scaleAxes([&](std::size_t d) { return 2 * pi / double(v.scan.geometry.matrix[d]); });
       }},
      {"k in 1/m", Answer::right,
       [](Variant& v) { v.scaleAxes([&](std::size_t d) { return 1000 / v.scan.geometry.fov[d]; }); }},
      {"weights as last column", Answer::right,
       [](Variant& v) {
         const int dims = v.dims();
         v.addColumn([dims](const TestAcquisition& a, std::size_t i) { return 0.1 + radius(a, i, dims); });
       }},
      {"time as fourth column", Answer::right,
       [](Variant& v) {
         if (v.dims() == 2) v.addColumn([](const TestAcquisition&, std::size_t) { return 0.0; });
         v.addColumn([](const TestAcquisition&, std::size_t i) { return 0.002 + 4e-6 * double(i); });
         for (TestAcquisition& a : v.all) a.head.sample_time_us = 4;
       }},
      {"axes swapped", Answer::proposed,
       [](Variant& v) {
         for (TestAcquisition& a : v.all)
           for (std::size_t i = 0; i < a.trajectory.size(); i += std::size_t(v.dims()))
             std::swap(a.trajectory[i], a.trajectory[i + 1]);
       }},
      {"an axis turned round", Answer::proposed,
       [](Variant& v) { v.scaleAxes([](std::size_t d) { return d == 1 ? -1.0 : 1.0; }); }},
      {"no limits", Answer::right, [](Variant& v) { v.limits = ""; }},
      {"sparse counters and wrong limits", Answer::right,
       [](Variant& v) {
         v.limits =
             "<kspace_encoding_step_1><minimum>3</minimum><maximum>5</maximum><center>900</center>"
             "</kspace_encoding_step_1><repetition><minimum>0</minimum><maximum>77</maximum><center>0</"
             "center>"
             "</repetition>";
         for (TestAcquisition& a : v.all)
           a.head.idx.kspace_encode_step_1 = std::uint16_t(64 + 3 * a.head.idx.kspace_encode_step_1);
       }},
      {"every second line reversed, with its trajectory", Answer::right,
       [](Variant& v) {
         for (std::size_t s = 1; s < v.all.size(); s += 2) {
           setFlag(v.all[s], reversedFlag);
           reverseSamples(v.all[s]);
           reverseTrajectory(v.all[s]);
         }
       }},
      {"every second line reversed, its trajectory not", Answer::proposed,
       [](Variant& v) {
         for (std::size_t s = 1; s < v.all.size(); s += 2) {
           setFlag(v.all[s], reversedFlag);
           reverseSamples(v.all[s]);
         }
       }},
      {"a noise line in front", Answer::right,
       [](Variant& v) {
         TestAcquisition noise = acquisition(200, v.scan.coils, 0);
         std::mt19937 random(7);
         std::normal_distribution<float> part;
         for (auto& sample : noise.samples) sample = {part(random), part(random)};
         setFlag(noise, noiseFlag);
         v.all.insert(v.all.begin(), noise);
       }},
      {"oversampling 2, k over the image's field of view", Answer::right,
       [](Variant& v) { v.encoded.x *= 2, v.encoded.fovX *= 2; }},
      {"oversampling 2, k over the encoded field of view", Answer::right,
       [](Variant& v) {
         v.encoded.x *= 2, v.encoded.fovX *= 2, v.encoded.y *= 2, v.encoded.fovY *= 2;
         if (v.dims() == 3) v.encoded.z *= 2, v.encoded.fovZ *= 2;
         v.scaleAxes([](std::size_t) { return 2.0; });
       }},
      {"field of view shifted", Answer::proposed,
       [](Variant& v) {
         const Geometry& g = v.scan.geometry;
         const double shift[3] = {0.11 * g.fov[0], -0.07 * g.fov[1], 0};  // along read and phase
         for (TestAcquisition& a : v.all) {
           for (std::size_t d = 0; d < 3; ++d)
             a.head.position[d] = float(shift[0] * g.readDirection[d] + shift[1] * g.phaseDirection[d]);
           const std::size_t n = a.head.number_of_samples;
           for (std::size_t i = 0; i < a.samples.size(); ++i) {
             const float* k = &a.trajectory[i % n * std::size_t(v.dims())];
             const double cycles = double(k[0]) * shift[0] / g.fov[0] + double(k[1]) * shift[1] / g.fov[1];
             a.samples[i] *= std::complex<float>(std::polar(1.0, -2 * pi * cycles));
           }
         }
       }},
  };
  return all;
}

}  // namespace spokelab::test
