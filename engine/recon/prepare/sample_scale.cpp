#include "engine/recon/prepare/sample_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <span>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/jobs/rank_values.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/parallel_all.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t valuesPerTask = 1 << 16;
constexpr int ordinaryExponent = 24;  // 2^24 squared, times all pixels, is far inside float's range

// Skips values that are not numbers. Lanes without std::max, whose order prevents vectors.
float largestPart(std::span<const cfloat> values) {
  constexpr std::size_t lanes = 16;
  const auto* const parts = reinterpret_cast<const float*>(values.data());
  const std::size_t count = 2 * values.size(), whole = count / lanes * lanes;
  std::array<float, lanes> most{};
  for (std::size_t i = 0; i < whole; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const float part = std::abs(parts[i + k]);
      most[k] = part > most[k] ? part : most[k];
    }
  float largest = *std::max_element(most.begin(), most.end());
  for (std::size_t i = whole; i < count; ++i) largest = std::max(largest, std::abs(parts[i]));
  return largest;
}

// One parallel call for all frames: frames of a moving heart are small and number hundreds.
double largestPart(const Scan& scan, const std::vector<int>& frames, const Progress& progress, Ranks* ranks) {
  std::vector<std::span<const cfloat>> pieces;
  for (const int f : frames) {
    const std::span<const cfloat> frameSamples(scan.samples[std::size_t(f)]);
    for (std::size_t first = 0; first < frameSamples.size(); first += valuesPerTask)
      pieces.push_back(
          frameSamples.subspan(first, std::min<std::size_t>(valuesPerTask, frameSamples.size() - first)));
  }
  const auto count = std::int64_t(pieces.size());
  const EvenPart here = ranks ? evenPart(ranks->rank(), ranks->size(), count) : EvenPart{0, count};
  double largest = 0;
  std::mutex guard;
  parallelTasks(here.end - here.begin, 0, [&](std::int64_t piece) {
    progress.checkpoint();
    const float pieceMaximum = largestPart(pieces[std::size_t(here.begin + piece)]);
    const std::lock_guard lock(guard);
    largest = std::max(largest, double(pieceMaximum));
  });
  return ranks ? largestOfRanks(*ranks, largest, progress) : largest;
}

// Scales by ldexp, as a factor of 2^exponent may itself be out of range.
template <class Complex>
void scaleTo(const Complex* from, Complex* to, std::int64_t count, int exponent, const Progress& progress) {
  parallelFor(count, 0, valuesPerTask, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (std::int64_t i = begin; i < end; ++i)
      to[i] = {std::ldexp(from[i].real(), exponent), std::ldexp(from[i].imag(), exponent)};
  });
}

}  // namespace

int sampleExponent(const Scan& scan, const std::vector<int>& frames, const Progress& progress, Ranks* ranks) {
  const double largest = largestPart(scan, frames, progress, ranks);
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::abs(exponent) <= ordinaryExponent ? 0 : -exponent;
}

std::shared_ptr<Scan> scaledScan(const Scan& scan, const std::vector<int>& frames, int exponent,
                                 const Progress& progress) {
  double values = double(scan.noise.size());
  for (const int f : frames) values += double(scan.samples[std::size_t(f)].size());
  requireMemory(values * Scan::bytesPerSample(scan.isDouble()), "Cannot scale the samples", "a copy of them",
                "Choose fewer frames, or scale them in the program that wrote the file");
  auto scaled = describedAs(scan);
  scaled->trajectories = scan.trajectories;
  scaled->shotTimes = scan.shotTimes;
  scaled->samples.resize(scan.samples.size());
  for (const int f : frames) {
    const auto count = std::int64_t(scan.samples[std::size_t(f)].size());
    scaled->makeRoom(f, count, scan.isDouble());
    scaled->change(f, 0, 0, [&]<class Complex>(Complex* to) {
      scaleTo(scan.data<Complex>(f, 0, 0), to, count, exponent, progress);
    });
  }
  scaled->noise.resize(scan.noise.size());
  scaleTo(scan.noise.data(), scaled->noise.data(), std::int64_t(scan.noise.size()), exponent, progress);
  return scaled;
}

void scaleBy(std::span<cfloat> values, int exponent) {
  scaleTo(values.data(), values.data(), std::int64_t(values.size()), exponent, Progress());
}

void finishImage(Image& image, int exponent) {
  finishPixels(image.name, image.data, image.doubleData, exponent);
}

void finishPixels(const std::string& name, std::span<cfloat> values, std::span<cdouble> wide, int exponent) {
  const auto count = std::int64_t(values.size());
  if (exponent != 0 && !wide.empty())
    scaleTo(wide.data(), wide.data(), count, -exponent, Progress());
  else if (exponent != 0)
    scaleBy(values, -exponent);
  std::transform(wide.begin(), wide.end(), values.begin(), [](const cdouble& v) { return cfloat(v); });
  if (holdsForAll(count, [&](std::int64_t begin, std::int64_t end) {
        return allFinite(values.data() + begin, end - begin);
      }))
    return;
  const auto bad = std::count_if(values.begin(), values.end(), [](const auto& v) {
    return !std::isfinite(v.real()) || !std::isfinite(v.imag());
  });
  throw Error("Cannot reconstruct " + name,
              std::to_string(bad) + " of " + std::to_string(count) +
                  " pixels are beyond the largest number of single precision, or no numbers",
              "Look for very large samples, density weights or maps (info --check), or scale them down");
}

}  // namespace spokelab
