#include "engine/recon/run/sense/coil_map_source.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "engine/core/jobs/rank_values.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::size_t maxMapFrames = 64;
constexpr std::size_t framesAtOnce = 16;  // bounds the memory of their images
// Energy of the mean image over the frames' mean: below it, frames cancel each other.
constexpr double minCoherence = 0.5;

std::vector<int> coilsHere(const CoilDivision* division, int all) {
  if (division) return division->own();
  std::vector<int> coils(static_cast<std::size_t>(all));
  std::iota(coils.begin(), coils.end(), 0);
  return coils;
}

}  // namespace

bool dividesCentre(const CoilDivision& division) {
  return std::all_of(division.coils.begin(), division.coils.end(), [](const auto& share) {
    return !share.empty() && share.size() % std::size_t(centreCoilsAtOnce) == 0;
  });
}

std::vector<int> mapFrames(const std::vector<int>& frames) {
  if (frames.size() <= maxMapFrames) return frames;
  std::vector<int> chosenFrames;
  for (std::size_t i = 0; i < maxMapFrames; ++i)
    chosenFrames.push_back(frames[i * frames.size() / maxMapFrames]);
  return chosenFrames;
}

CentreImages meanCentreImages(NufftBackend& backend, const Scan& scan, const SenseProblem& problem,
                              const std::vector<int>& frames, int slice, FrameDensities& densities,
                              const CoilMapOptions& mapOptions, const CoilDivision* division,
                              std::vector<std::string>& notes, const Progress& progress) {
  CentreImages mean, strongest;
  double energies = 0, most = -1;
  int strongestFrame = frames.front();
  const auto count = double(frames.size());
  // Images of some frames with the same points, by one plan: [frame, coil, pixel].
  const std::vector<int> coils = coilsHere(division, scan.coils);
  const auto imagesOf = [&](std::span<const int> some, const Progress& part) {
    std::vector<const cfloat*> samples;
    for (const int frame : some)
      for (const int c : coils) samples.push_back(scan.data(frame, slice, c));
    return centreImages(backend,
                        {problem.dims, problem.matrix, scan.trajectory(some.front()).points, samples},
                        densities.of(some.front(), part).values, mapOptions.calibration,
                        centreOversampling(mapOptions.method), problem.nufft, part);
  };
  const auto energyOf = [&](const Buffer<cfloat>& values) {
    double sum = 0;
    for (const cfloat& v : values) sum += double(std::norm(v));
    return division ? sumOfRanks(*division->ranks, sum, progress) : sum;
  };
  const std::size_t together = scan.trajectories.size() == 1 ? framesAtOnce : 1;
  for (std::size_t i = 0; i < frames.size(); i += together) {
    const std::size_t end = std::min(frames.size(), i + together);
    const Progress part = progress.part(double(i) / count, double(end) / count);
    CentreImages several = imagesOf(std::span(frames).subspan(i, end - i), part);
    if (frames.size() == 1) return several;
    const std::size_t each = several.images.size() / (end - i);
    for (std::size_t k = i; k < end; ++k) {
      const auto first = several.images.begin() + std::ptrdiff_t((k - i) * each);
      const CentreImages one{several.size, {first, first + std::ptrdiff_t(each)}};
      const double energy = energyOf(one.images);
      energies += energy;
      if (mean.images.empty()) {
        mean = one;
      } else {
        for (std::size_t p = 0; p < each; ++p) mean.images[p] += one.images[p];
      }
      if (energy <= most) continue;
      most = energy;
      strongest = one;
      strongestFrame = frames[k];
    }
  }
  for (cfloat& v : mean.images) v /= float(count);
  if (energyOf(mean.images) >= minCoherence * energies / count) {
    notes.push_back("one set of coil maps for all frames, from the mean of " +
                    countText(std::int64_t(frames.size()), "frame"));
    return mean;
  }
  notes.push_back("one set of coil maps for all frames, from frame " + std::to_string(strongestFrame) +
                  ": the frames' mean cancels most of the signal");
  return strongest;
}

}  // namespace spokelab
