#include "engine/recon/explore/readout_spectrum.h"

#include <cmath>

#include "engine/nufft/fft/lines_fft.h"

namespace spokelab {
namespace {

// Seconds from sample to sample; 0: not even.
double dwellOf(const std::vector<double>& times) {
  constexpr double tolerance = 1e-3;  // of the dwell time: files round times
  if (times.size() < 2) return 0;
  const double dwell = (times.back() - times.front()) / double(times.size() - 1);
  if (!(dwell > 0)) return 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(times[i] - times.front() - double(i) * dwell) > tolerance * dwell) return 0;
  return dwell;
}

}  // namespace

ReadoutSpectrum readoutSpectrum(const std::vector<cfloat>& readout, const std::vector<double>& times) {
  ReadoutSpectrum spectrum;
  const std::size_t n = readout.size();
  if (n == 0) return spectrum;
  Buffer<cdouble> line(n);
  for (std::size_t i = 0; i < n; ++i) line[i] = cdouble(readout[i]) / double(n);
  LinesFft<double>(int(n), 1, int(n), -1).execute(line.data());
  const double dwell = times.size() == n ? dwellOf(times) : 0;
  spectrum.inHertz = dwell > 0;
  const double step = spectrum.inHertz ? 1 / (dwell * double(n)) : 1;
  const std::size_t half = n / 2;
  spectrum.values.resize(n);
  spectrum.frequencies.resize(n);
  for (std::size_t m = 0; m < n; ++m) {
    spectrum.values[m] = line[(m + n - half) % n];
    spectrum.frequencies[m] = (double(m) - double(half)) * step;
  }
  return spectrum;
}

}  // namespace spokelab
