#include "engine/recon/explore/noise_maps.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/scan/look/raw_summary.h"
#include "engine/scan/simulate/random_numbers.h"

namespace spokelab {
namespace {

constexpr std::int64_t valuesPerTask = 1 << 14;

// L of the noise's covariance L L^H.
std::vector<cdouble> noiseFactor(const Scan& scan, const NoiseMapOptions& options) {
  const auto n = std::size_t(scan.coils);
  std::vector<cdouble> factor(n * n);
  if (options.sigma > 0) {
    for (std::size_t c = 0; c < n; ++c) factor[c * n + c] = std::sqrt(2.0) * options.sigma;
    return factor;
  }
  const std::string summary = "Cannot map the noise of " + scan.name;
  if (scan.noise.empty())
    throw Error(summary, "the scan has no noise lines", "Give the noise of a sample (sigma)");
  if (!cholesky(noiseCovariance(scan.noise, scan.coils), scan.coils, factor))
    throw Error(summary, "its noise lines do not tell the covariance of its coils",
                "Leave out dead coils (leave-out-coils), or give the noise of a sample (sigma)");
  return factor;
}

// Mean variance of a sample of the coils.
double variance(const std::vector<cdouble>& factor, const std::vector<int>& coils, int coilCount) {
  double sum = 0;
  for (const int c : coils)
    for (int b = 0; b <= c; ++b) sum += std::norm(factor[std::size_t(c * coilCount + b)]);
  return sum / double(coils.size());
}

// Replicas [first, first + count) of a frame; the one before the first of all is the frame itself.
std::shared_ptr<Scan> replicasOf(const Scan& scan, int frame, const std::vector<cdouble>& factor, int first,
                                 int count, unsigned seed, const Progress& progress) {
  auto all = describedAs(scan);
  all->frames = count;
  all->frameAxes = {};
  all->trajectories = {scan.trajectory(frame)};
  all->noise = scan.noise;
  all->geometry = geometryOf(scan, {frame}, {});
  all->geometry.frames.clear();
  const std::int64_t samples = all->trajectories.front().samples();
  const auto coils = std::size_t(scan.coils);
  for (int r = first; r < first + count; ++r) {
    progress.report(double(r - first) / count, "Drawing noise");
    all->samples.push_back(scan.samples[std::size_t(frame)]);
    if (r == 0) continue;
    Buffer<cfloat>& values = all->samples.back();
    const std::uint64_t key = (std::uint64_t(seed) << 32) ^ std::uint64_t(r);
    for (int s = 0; s < scan.slices; ++s)
      parallelFor(
          samples, 0, valuesPerTask / std::int64_t(coils) + 1, [&](std::int64_t begin, std::int64_t end) {
            progress.checkpoint();
            std::vector<cdouble> drawn(coils);
            for (std::int64_t j = begin; j < end; ++j) {
              for (std::size_t c = 0; c < coils; ++c)
                drawn[c] = complexNormal(key, std::uint64_t((s * samples + j) * std::int64_t(coils)) + c) /
                           std::sqrt(2.0);
              for (std::size_t c = 0; c < coils; ++c) {
                cdouble noise = 0;
                for (std::size_t b = 0; b <= c; ++b) noise += factor[c * coils + b] * drawn[b];
                values[(std::size_t(s) * coils + c) * std::size_t(samples) + std::size_t(j)] += cfloat(noise);
              }
            }
          });
  }
  return all;
}

// Mean and spread of what replicas add to the image, in phase with it.
class Spread {
 public:
  explicit Spread(std::size_t pixels) : mean_(pixels), squares_(pixels) {}

  void add(const cfloat* image, const cfloat* replica) {
    ++count_;
    parallelFor(std::int64_t(mean_.size()), 0, valuesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
        const double length = std::abs(image[i]);
        const cdouble more = cdouble(replica[i]) - cdouble(image[i]);
        const double part = length > 0 ? (std::conj(cdouble(image[i])) * more).real() / length : more.real();
        const double before = part - mean_[i];
        mean_[i] += before / count_;
        squares_[i] += before * (part - mean_[i]);
      }
    });
  }
  double deviation(std::size_t i) const { return std::sqrt(squares_[i] / (count_ - 1)); }

 private:
  double count_ = 0;
  std::vector<double> mean_, squares_;
};

std::shared_ptr<Image> mapLike(const Image& image, const std::string& name) {
  auto map = std::make_shared<Image>();
  map->size = image.size;
  map->geometry = image.geometry;
  map->geometry.frames.clear();
  map->provenance = image.provenance;
  map->name = name;
  map->data.resize(std::size_t(image.volume()));
  return map;
}

double medianWhere(const Image& map, const Image& image) {
  constexpr float share = 0.1F;
  float largest = 0;
  for (std::int64_t i = 0; i < image.volume(); ++i)
    largest = std::max(largest, std::abs(image.data[std::size_t(i)]));
  std::vector<float> values;
  for (std::int64_t i = 0; i < image.volume(); ++i)
    if (std::abs(image.data[std::size_t(i)]) > share * largest)
      values.push_back(map.data[std::size_t(i)].real());
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return double(*middle);
}

void fillMaps(NoiseMaps& maps, const Spread& spread, double perSample) {
  const Image& image = *maps.image;
  maps.noise = mapLike(image, "noise");
  maps.snr = mapLike(image, "SNR");
  maps.gFactor = mapLike(image, "g-factor");
  for (std::size_t i = 0; i < maps.noise->data.size(); ++i) {
    const double noise = spread.deviation(i);
    maps.noise->data[i] = float(noise);
    maps.snr->data[i] = noise > 0 ? float(std::abs(image.data[i]) / noise) : 0;
    maps.gFactor->data[i] = float(noise / perSample);
  }
  maps.medianSnr = medianWhere(*maps.snr, image);
  maps.medianG = medianWhere(*maps.gFactor, image);
}

}  // namespace

NoiseMaps noiseMaps(
    const Scan& scan, const ReconOptions& asked, const NoiseMapOptions& noise,
    const std::function<Reconstruction(const Scan&, const ReconOptions&, const Progress&)>& reconstruct,
    const Progress& progress) {
  constexpr int minReplicas = 2, maxReplicas = 10000;
  const std::string summary = "Cannot map the noise of " + scan.name;
  if (noise.replicas < minReplicas || noise.replicas > maxReplicas)
    throw Error(summary, std::to_string(noise.replicas) + " replicas are not possible", "Use 2 to 10000");
  ReconOptions options = asked;
  if (const Recipe& recipe = recipeOf(options); recipe.joinsFrames)
    throw Error(summary, "the method " + std::string(recipe.name) + " finds all frames together",
                "Use a method that makes each frame by itself, such as sense");
  if (options.combination == Combination::none && !recipeOf(options).iterates && scan.coils > 1)
    throw Error(summary, "coils that are kept apart have no image in common", "Combine them (combine)");
  const JobPlan plan = planJob(scan, options);
  const int frame = plan.frames.front();
  setAccuracy(options, plan.options.nufft.accuracy);
  options.frames.clear();
  const std::vector<cdouble> factor = noiseFactor(scan, noise);
  const double bytes =
      double(scan.samples[std::size_t(frame)].size() + 2 * std::size_t(plan.pixels) * plan.slices.size()) *
      sizeof(cfloat);
  const int atOnce = std::clamp(int(noise.maxBytes / bytes), 1, noise.replicas + 1);
  requireMemory(bytes * (atOnce + 1), summary, countText(atOnce, "replica") + " at a time",
                "Use fewer coils or slices, or a smaller matrix");
  NoiseMaps maps;
  std::optional<Spread> spread;
  for (int first = 0; first <= noise.replicas; first += atOnce) {
    const int count = std::min(atOnce, noise.replicas + 1 - first);
    const Progress part =
        progress.part(double(first) / (noise.replicas + 1), double(first + count) / (noise.replicas + 1));
    constexpr double drawShare = 0.1;
    const auto some = replicasOf(scan, frame, factor, first, count, noise.seed, part.part(0, drawShare));
    const Reconstruction result = reconstruct(*some, options, part.part(drawShare, 1));
    if (result.cancelled || !result.image) {
      maps.cancelled = true;
      return maps;
    }
    const std::int64_t pixels = result.image->volume();
    if (first == 0) {
      auto image = mapLike(*result.image, scan.name);
      std::copy_n(result.image->frame(0), pixels, image->data.begin());
      maps.image = image;
      maps.notes = result.notes;
      spread.emplace(std::size_t(pixels));
    }
    for (int r = first == 0 ? 1 : 0; r < count; ++r)
      spread->add(maps.image->data.data(), result.image->frame(r));
  }
  maps.replicas = noise.replicas;
  maps.relativeError = 1 / std::sqrt(2.0 * (noise.replicas - 1));
  // The noise of a pixel that all samples make alike, in phase with it: half of the variance.
  const double perSample =
      std::sqrt(variance(factor, plan.coilsKept, scan.coils) / 2 / double(scan.trajectory(frame).samples()));
  fillMaps(maps, *spread, perSample);
  return maps;
}

}  // namespace spokelab
