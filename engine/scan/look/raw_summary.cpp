#include "engine/scan/look/raw_summary.h"

#include <algorithm>
#include <cmath>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t shotsPerTask = 64;

struct CoilSum {
  double energy = 0, largest = 0;  // of |y|^2
};

CoilSum sumOf(const cfloat* values, std::int64_t count) {
  constexpr std::int64_t block = 4096;  // summed in float's range, added up in double
  CoilSum sum;
  for (std::int64_t begin = 0; begin < count; begin += block) {
    float largest = 0;
    double energy = 0;
    for (std::int64_t i = begin; i < std::min(count, begin + block); ++i) {
      const float power = std::norm(values[i]);
      energy += double(power);
      largest = std::max(largest, power);
    }
    sum.energy += energy;
    sum.largest = std::max(sum.largest, double(largest));
  }
  return sum;
}

}  // namespace

double RawSummary::noiseOf(int coil) const {
  const auto coils = energy.size();
  return noise.empty() ? 0 : std::sqrt(noise[std::size_t(coil) * (coils + 1)].real());
}

double RawSummary::correlation(int a, int b) const {
  const double both = noiseOf(a) * noiseOf(b);
  return both > 0 ? std::abs(noise[std::size_t(a) * energy.size() + std::size_t(b)]) / both : 0;
}

std::vector<cdouble> noiseCovariance(const Buffer<cfloat>& noise, int coils) {
  const auto n = std::size_t(coils), samples = noise.size() / n;
  std::vector<cdouble> covariance(n * n, 0.0);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      cdouble sum = 0;
      for (std::size_t j = 0; j < samples; ++j)
        sum += cdouble(noise[a * samples + j]) * std::conj(cdouble(noise[b * samples + j]));
      covariance[a * n + b] = sum / double(samples);
    }
  return covariance;
}

std::vector<float> shotMaxima(const Scan& scan, int frame, const Progress& progress) {
  const Trajectory& t = scan.trajectory(frame);
  std::vector<float> maxima(std::size_t(t.shots()), 0.0F);
  parallelFor(t.shots(), 0, shotsPerTask, [&](std::int64_t from, std::int64_t to) {
    for (int slice = 0; slice < scan.slices; ++slice)
      for (int coil = 0; coil < scan.coils; ++coil) {
        progress.checkpoint();
        const cfloat* const values = scan.data(frame, slice, coil);
        for (auto shot = std::size_t(from); shot < std::size_t(to); ++shot)
          for (std::int64_t i = t.shotOffsets[shot]; i < t.shotOffsets[shot + 1]; ++i)
            maxima[shot] = std::max(maxima[shot], std::norm(values[i]));
      }
    for (auto shot = std::size_t(from); shot < std::size_t(to); ++shot)
      maxima[shot] = std::sqrt(maxima[shot]);
  });
  return maxima;
}

ShotRange shotRange(const std::vector<float>& maxima) {
  const auto [least, most] = std::minmax_element(maxima.begin(), maxima.end());
  std::vector<float> sorted = maxima;
  const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return {least - maxima.begin(), most - maxima.begin(), std::count(maxima.begin(), maxima.end(), 0.0F),
          double(*middle)};
}

RawSummary rawSummary(const Scan& scan, const Progress& progress) {
  const auto coils = std::size_t(scan.coils);
  const std::int64_t perFrame = std::int64_t(scan.slices) * scan.coils;
  std::vector<CoilSum> parts(std::size_t(scan.frames * perFrame));
  parallelTasks(std::int64_t(parts.size()), 0, [&](std::int64_t part) {
    progress.checkpoint();
    const int frame = int(part / perFrame), slice = int(part % perFrame / scan.coils);
    parts[std::size_t(part)] =
        sumOf(scan.data(frame, slice, int(part % scan.coils)), scan.trajectory(frame).samples());
  });
  RawSummary summary;
  summary.energy.assign(coils, 0);
  summary.largest.assign(coils, 0);
  double samples = 0;  // of a coil
  for (int f = 0; f < scan.frames; ++f) samples += double(scan.trajectory(f).samples()) * scan.slices;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::size_t coil = part % coils;
    summary.energy[coil] += parts[part].energy / std::max(1.0, samples);
    summary.largest[coil] = std::max(summary.largest[coil], std::sqrt(parts[part].largest));
  }
  summary.shotMaxima = shotMaxima(scan, 0, progress);
  summary.noiseSamples = std::int64_t(scan.noise.size()) / scan.coils;
  if (summary.noiseSamples > 0) summary.noise = noiseCovariance(scan.noise, scan.coils);
  return summary;
}

}  // namespace spokelab
