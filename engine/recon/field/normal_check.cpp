#include "engine/recon/field/normal_check.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/recon/field/gdft/gdft.h"

namespace spokelab {
namespace {

// More pixels make the measurement scatter less, and cost exact sums of all samples.
constexpr std::int64_t maxPairs = 20'000'000, minPixels = 64, maxPixels = 512;
constexpr std::int64_t pixelsPerSupport = 4;
constexpr unsigned checkSeed = 11;

std::vector<double> chosen(const std::vector<double>& values, std::span<const std::int64_t> pixels,
                           std::int64_t all, int rows = 1) {
  std::vector<double> some;
  if (values.empty()) return some;
  for (std::int64_t r = 0; r < rows; ++r)
    for (const std::int64_t p : pixels) some.push_back(values[std::size_t(r * all + p)]);
  return some;
}

// Sum of square(i) over the pixels looked at, weighted outside u's support for the others.
template <class Square>
double sumOver(const NormalCheck& check, std::size_t pixels, const Square& square) {
  const double others = double(check.selection.size() - check.support);
  const double stand = others > 0 ? double(pixels - check.support) / others : 0;
  double sum = 0;
  for (std::size_t i = 0; i < check.selection.size(); ++i) sum += (i < check.support ? 1 : stand) * square(i);
  return sum;
}

}  // namespace

GdftProblem somePixels(const GdftProblem& problem, std::span<const std::int64_t> pixels) {
  const std::int64_t pixelCount = problem.pixels();
  GdftProblem some = problem;
  some.coordinates.clear();
  for (const std::int64_t p : pixels)
    for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
      if (!problem.coordinates.empty()) {
        some.coordinates.push_back(problem.coordinates[std::size_t(p) * std::size_t(problem.dims) + d]);
        continue;
      }
      std::int64_t index = p;
      for (std::size_t before = 0; before < d; ++before) index /= problem.matrix[before];
      const std::int64_t n = problem.matrix[d];
      some.coordinates.push_back(double(index % n - n / 2) / double(n));
    }
  some.field = chosen(problem.field, pixels, pixelCount);
  some.decay = chosen(problem.decay, pixels, pixelCount);
  some.gradient = chosen(problem.gradient, pixels, pixelCount, problem.dims);
  some.forms.places = chosen(problem.forms.places, pixels, pixelCount, int(problem.forms.count));
  return some;
}

NormalCheck makeNormalCheck(const GdftProblem& problem, std::span<const double> weights, int threads,
                            const Progress& progress) {
  NormalCheck check;
  const std::int64_t pixels = problem.pixels();
  std::mt19937 random(checkSeed);
  std::uniform_int_distribution<std::int64_t> pixel(0, pixels - 1);
  const std::int64_t affordable = maxPairs / std::max<std::int64_t>(1, problem.samples());
  const std::int64_t pixelCount = std::min(pixels, std::clamp(affordable, minPixels, maxPixels));
  while (std::int64_t(check.selection.size()) < pixelCount) {
    const std::int64_t p = pixel(random);
    if (std::find(check.selection.begin(), check.selection.end(), p) == check.selection.end())
      check.selection.push_back(p);
  }
  check.support = std::size_t(std::max<std::int64_t>(1, pixelCount / pixelsPerSupport));
  std::normal_distribution<float> normal;  // values that single precision holds
  std::vector<cdouble> u(check.support);
  check.image.assign(std::size_t(pixels), 0);
  for (std::size_t i = 0; i < check.support; ++i)
    check.image[std::size_t(check.selection[i])] = u[i] = cdouble(normal(random), normal(random));

  std::vector<cdouble> samples(std::size_t(problem.samples()));
  const std::span<const std::int64_t> all(check.selection);
  makeCpuGdft<double>(somePixels(problem, all.first(check.support)), threads)
      ->forward(u.data(), samples.data(), 1, {}, progress);
  for (std::size_t j = 0; j < weights.size(); ++j) samples[j] *= weights[j];
  check.exact.resize(check.selection.size());
  makeCpuGdft<double>(somePixels(problem, all), threads)
      ->adjoint(samples.data(), check.exact.data(), 1, {}, progress);
  return check;
}

double checkedError(const NormalCheck& check, std::span<const cdouble> image) {
  const double norm = sumOver(check, image.size(), [&](std::size_t i) { return std::norm(check.exact[i]); });
  const double error = sumOver(check, image.size(), [&](std::size_t i) {
    return std::norm(image[std::size_t(check.selection[i])] - check.exact[i]);
  });
  return norm > 0 ? std::sqrt(error / norm) : 0;
}

double checkedGain(const NormalCheck& check) {
  double imageSquare = 0;
  for (const cdouble& u : check.image) imageSquare += std::norm(u);
  const double norm =
      sumOver(check, check.image.size(), [&](std::size_t i) { return std::norm(check.exact[i]); });
  return imageSquare > 0 ? std::sqrt(norm / imageSquare) : 0;
}

}  // namespace spokelab
