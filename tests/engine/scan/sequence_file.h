// Writes small Pulseq sequences of radial readouts, in each version of the format.
#pragma once

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace spokelab::test {

struct SequenceSpec {
  int minor = 5;  // of version 1
  int shots = 6;
  int samples = 32;
  double dwell = 20e-6;    // s
  double fov = 0.24;       // m
  double angle = 0.4;      // rad from shot to shot
  bool labels = false;     // LIN counts the shots; REP is 1 for the second half
  bool rotations = false;  // readout along x, turned by the rotation extension
  bool refocused = false;  // dephase before a refocusing pulse instead of after the excitation
};

// Gradient of the readout in Hz/m: one cycle/FOV from sample to sample.
inline double readGradient(const SequenceSpec& s) {
  return 1 / (s.fov * s.dwell);
}

// k of a sample in 1/m along the spoke: 0 at sample `samples / 2`.
inline double radiusOf(const SequenceSpec& s, int sample) {
  return (sample - s.samples / 2) / s.fov;
}

// Excitation with a block pulse of 200 us, dephaser of 1 ms with ramps of 100 us, readout with
// ramps of 100 us.
inline std::string sequenceText(const SequenceSpec& s) {
  std::ostringstream out;
  out.precision(17);
  const bool modern = s.minor >= 4, newest = s.minor >= 5;
  const double ramp = 100e-6, flat = s.samples * s.dwell, g = readGradient(s);
  const int flatUs = int(std::lround(flat * 1e6)), preUs = 800;
  // Up to the centre of sample samples / 2.
  const double area = g * (ramp / 2 + (s.samples / 2 + 0.5) * s.dwell);
  const double pre = area / ((preUs + 100) * 1e-6);
  const auto raster = [](double us) { return int(std::ceil(us / 10)); };
  out << "# Pulseq sequence file\n# Created by a test\n\n[VERSION]\nmajor 1\nminor " << s.minor
      << "\nrevision 0\n\n[DEFINITIONS]\nFOV " << s.fov << " " << s.fov << " 0.005\nName radial\n";
  if (modern)
    out << "AdcRasterTime 1e-07\nBlockDurationRaster 1e-05\nGradientRasterTime 1e-05\n"
           "RadiofrequencyRasterTime 1e-06\n";
  out << "\n[BLOCKS]\n";
  int block = 0;
  const auto add = [&](int us, int rf, int x, int y, int adc, int ext) {
    out << ++block << ' ' << (modern ? raster(us) : 0) << ' ' << rf << ' ' << x << ' ' << y << " 0 " << adc;
    if (s.minor >= 3) out << ' ' << ext;
    out << '\n';
  };
  for (int n = 0; n < s.shots; ++n) {
    const int first = 4 * n, ext = s.labels ? 1 + 2 * n : s.rotations ? 1 + n : 0;
    const int turn = s.rotations ? ext : 0;
    add(300, 1, 0, 0, 0, 0);
    add(preUs + 200, 0, first + 1, s.rotations ? 0 : first + 2, 0, turn);
    if (s.refocused) add(300, 2, 0, 0, 0, 0);
    add(flatUs + 200, 0, first + 3, s.rotations ? 0 : first + 4, 1, ext);
  }
  out << "\n[RF]\n";
  const auto pulse = [&](int id, double degrees, char use) {
    out << id << ' ' << degrees / 360 / 200e-6 << " 1 2 ";
    if (modern) out << "0 ";
    if (newest) out << "100 ";
    out << 50;
    if (newest) out << " 0 0";
    out << " 0 0";
    if (newest) out << ' ' << use;
    out << '\n';
  };
  pulse(1, 15, 'e');
  if (s.refocused) pulse(2, 180, 'r');
  out << "\n[TRAP]\n";
  for (int n = 0; n < s.shots; ++n) {
    const double x = s.rotations ? 1 : std::cos(n * s.angle), y = std::sin(n * s.angle);
    const double way = s.refocused ? 1 : -1;
    out << 4 * n + 1 << ' ' << way * pre * x << " 100 " << preUs << " 100 0\n";
    out << 4 * n + 2 << ' ' << way * pre * y << " 100 " << preUs << " 100 0\n";
    out << 4 * n + 3 << ' ' << g * x << " 100 " << flatUs << " 100 0\n";
    out << 4 * n + 4 << ' ' << g * y << " 100 " << flatUs << " 100 0\n";
  }
  out << "\n[ADC]\n1 " << s.samples << ' ' << std::lround(s.dwell * 1e9) << " 100";
  if (newest) out << " 0 0";
  out << " 0 0" << (newest ? " 0" : "") << "\n\n";
  if (s.labels) {
    out << "[EXTENSIONS]\n";
    for (int n = 0; n < s.shots; ++n)
      out << 1 + 2 * n << " 1 " << n + 1 << ' ' << 2 + 2 * n << '\n'
          << 2 + 2 * n << " 1 " << s.shots + 1 + (2 * n >= s.shots) << " 0\n";
    out << "\nextension LABELSET 1\n";
    for (int n = 0; n < s.shots; ++n) out << n + 1 << ' ' << n << " LIN\n";
    out << s.shots + 1 << " 0 REP\n" << s.shots + 2 << " 1 REP\n\n";
  }
  if (s.rotations) {
    out << "[EXTENSIONS]\n";
    for (int n = 0; n < s.shots; ++n) out << n + 1 << " 1 " << n + 1 << " 0\n";
    out << "\nextension ROTATIONS 1\n";
    for (int n = 0; n < s.shots; ++n)
      out << n + 1 << ' ' << std::cos(n * s.angle / 2) << " 0 0 " << std::sin(n * s.angle / 2) << '\n';
    out << '\n';
  }
  // Runs of one value: the value, then differences of 0 twice, and how often once more.
  out << "[SHAPES]\n\nshape_id 1\nnum_samples 200\n1\n0\n0\n197\n\nshape_id 2\nnum_samples 200\n0\n0\n198\n\n";
  return out.str();
}

}  // namespace spokelab::test
