#include "engine/nufft/exact/nudft_many.h"

#include <numeric>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

using Sizes = std::span<const std::int64_t>;

std::vector<std::int64_t> chosen(std::span<const std::int64_t> selection, std::int64_t all) {
  if (!selection.empty()) return {selection.begin(), selection.end()};
  std::vector<std::int64_t> every(static_cast<std::size_t>(all));
  std::iota(every.begin(), every.end(), 0);
  return every;
}

std::int64_t pixelsOf(Sizes size) {
  return std::accumulate(size.begin(), size.end(), std::int64_t{1}, std::multiplies<>());
}

// e^{2 pi i turns n_d} of every pixel along each dimension, x first.
std::vector<std::vector<cdouble>> phasesAt(Sizes size, const double* point, double sign) {
  std::vector<std::vector<cdouble>> phases(size.size());
  for (std::size_t d = 0; d < size.size(); ++d)
    for (std::int64_t i = 0; i < size[d]; ++i)
      phases[d].push_back(phaseOfTurns(sign * partOfTurns(point[d], double(i - size[d] / 2))));
  return phases;
}

// The sum over the dimensions up to d, of the part of the image that begins at `image`.
cdouble sumOver(Sizes size, const std::vector<std::vector<cdouble>>& phases, std::size_t d,
                const cdouble* image) {
  cdouble sum = 0;
  if (d == 0) {
    for (std::int64_t i = 0; i < size[0]; ++i) sum += product(phases[0][std::size_t(i)], image[i]);
    return sum;
  }
  const std::int64_t stride = pixelsOf(size.first(d));
  for (std::int64_t i = 0; i < size[d]; ++i)
    sum += product(phases[d][std::size_t(i)], sumOver(size, phases, d - 1, image + i * stride));
  return sum;
}

}  // namespace

std::vector<cdouble> nudftManyForward(Sizes size, int sign, std::span<const double> points,
                                      std::span<const cdouble> image, std::span<const std::int64_t> selection,
                                      int threads, const Progress& progress) {
  const auto outputs = chosen(selection, std::int64_t(points.size() / size.size()));
  std::vector<cdouble> values(outputs.size());
  parallelTasks(std::int64_t(outputs.size()), threads, [&](std::int64_t k) {
    progress.checkpoint();
    const double* const point = points.data() + std::size_t(outputs[std::size_t(k)]) * size.size();
    values[std::size_t(k)] = sumOver(size, phasesAt(size, point, sign), size.size() - 1, image.data());
  });
  return values;
}

std::vector<cdouble> nudftManyAdjoint(Sizes size, int sign, std::span<const double> points,
                                      std::span<const cdouble> samples,
                                      std::span<const std::int64_t> selection, int threads,
                                      const Progress& progress) {
  const auto outputs = chosen(selection, pixelsOf(size));
  std::vector<cdouble> values(outputs.size());
  parallelTasks(std::int64_t(outputs.size()), threads, [&](std::int64_t k) {
    progress.checkpoint();
    cdouble sum = 0;
    for (std::size_t j = 0; j < samples.size(); ++j) {
      double turns = 0;
      std::int64_t rest = outputs[std::size_t(k)];
      for (std::size_t d = 0; d < size.size(); ++d) {
        turns += partOfTurns(points[j * size.size() + d], double(rest % size[d] - size[d] / 2));
        rest /= size[d];
      }
      sum += product(phaseOfTurns(-sign * turns), samples[j]);
    }
    values[std::size_t(k)] = sum;
  });
  return values;
}

}  // namespace spokelab
