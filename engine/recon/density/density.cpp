#include "engine/recon/density/density.h"

#include <algorithm>
#include <cmath>

#include "engine/core/output/kept_values.h"
#include "engine/core/parallel_all.h"
#include "engine/core/simd/cpu_features.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/core/version.h"
#include "engine/recon/density/pipe_menon.h"
#include "engine/recon/density/radial_weights.h"
#include "engine/recon/density/voronoi_weights.h"

namespace spokelab {
namespace {

// Half a cell of tolerance: a sample at N/2, or rounded beyond it, belongs to the band.
constexpr double bandMarginCycles = 0.5;

// True for samples inside the band; empty: all are.
std::vector<char> insideBand(const Trajectory& trajectory, const Index3& matrix, std::int64_t& outside) {
  const auto dims = std::size_t(trajectory.dims);
  const auto isInside = [&](std::size_t j) {
    for (std::size_t d = 0; d < dims; ++d)
      if (std::abs(trajectory.points[j * dims + d]) > double(matrix[d]) / 2 + bandMarginCycles) return false;
    return true;
  };
  outside = 0;
  if (holdsForAll(trajectory.samples(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j)
          if (!isInside(std::size_t(j))) return false;
        return true;
      }))
    return {};
  std::vector<char> inside(std::size_t(trajectory.samples()));
  for (std::size_t j = 0; j < inside.size(); ++j) inside[j] = isInside(j);
  outside = std::count(inside.begin(), inside.end(), 0);
  return inside;
}

std::string radialOrigin(const Trajectory& t) {
  return "analytic, radial (" + countText(t.shots(), "spoke") + ")";
}

// On all cores, as a scan has millions of samples.
DensityWeights fromFile(const Trajectory& t) {
  if (t.weights.size() != std::size_t(t.samples()))
    throw Error("Cannot use the density weights of the file",
                t.weights.empty() ? "the file has none" : "their number differs from the samples' number",
                "Use density = auto");
  const auto each = [&](const auto& fits) {
    return holdsForAll(t.samples(), [&](std::int64_t begin, std::int64_t end) {
      return std::all_of(t.weights.begin() + begin, t.weights.begin() + end, fits);
    });
  };
  if (!each([](double w) { return w >= 0 && std::isfinite(w); }))
    throw Error("Cannot use the density weights of the file", "one of them is negative or not a number",
                "Use density = analytic or pipe-menon");
  if (each([](double w) { return w == 0; }))
    throw Error("Cannot use the density weights of the file", "all of them are zero",
                "Use density = analytic or pipe-menon");
  return {SharedValues::at(t.weights), "from the file"};
}

// Iterated, or as an earlier start of the program has kept them. inside: as pipeMenonWeights' mask.
Buffer<double> iteratedWeights(const Trajectory& t, const Index3& matrix, const ReconOptions& options,
                               const std::vector<char>& inside, const std::string& origin,
                               NufftBackend& backend, const Progress& progress) {
  const auto make = [&] {
    return pipeMenonWeights(t, matrix, options.pipeMenonIterations, options.nufft, inside, backend, progress);
  };
  KeptValues* const kept = KeptValues::ofThread();
  if (!kept) return make();
  const std::array<std::int64_t, 3> numbers{t.dims, options.pipeMenonIterations, options.nufft.reproducible};
  const ValueHash key = HashBuilder()
                            .add(std::string_view(versionText()))
                            .add(instructionSetName(instructionSet()))
                            .add(std::string_view(backend.fingerprint()))
                            .add(std::span<const std::int64_t>(numbers))
                            .add(std::span<const std::int64_t>(matrix))
                            .add(std::span<const char>(inside))
                            .add(std::span<const double>(t.points.data(), t.points.size()))
                            .hash();
  Buffer<double> weights(std::size_t(t.samples()));
  if (kept->take("density", key, std::span<double>(weights))) return weights;
  const double begin = now();
  weights = make();
  kept->keep("density", "density weights: " + origin, key, std::span<const double>(weights), now() - begin);
  return weights;
}

}  // namespace

DensityWeights densityWeights(const Trajectory& trajectory, const Index3& matrix, const ReconOptions& options,
                              NufftBackend& backend, const Progress& progress) {
  progress.report(0, "Density compensation");
  DensityWeights result;
  Buffer<double> radial;
  double radius = 0;  // of radial samples, in cycles per pixel
  DensityMethod method = options.density;
  if (method == DensityMethod::automatic) {
    if (!trajectory.weights.empty()) {
      method = DensityMethod::file;
    } else if (radialWeights(trajectory, radial, matrix, &radius)) {
      result = {std::move(radial), radialOrigin(trajectory)};
    } else {
      method = DensityMethod::pipeMenon;
    }
  }
  // A circle within the band has no sample beyond it, so the points need not be looked at again.
  const double bandRadius = 0.5 + bandMarginCycles / double(*std::max_element(matrix.begin(), matrix.end()));
  std::int64_t outside = 0;
  std::vector<char> inside;  // empty: all
  if (!(radius > 0 && radius <= bandRadius)) inside = insideBand(trajectory, matrix, outside);
  switch (method) {
    case DensityMethod::automatic:  // radial, done above
      break;
    case DensityMethod::file:
      result = fromFile(trajectory);
      break;
    case DensityMethod::analytic:
      if (!radialWeights(trajectory, radial, matrix))
        throw Error("Cannot use analytic density weights",
                    "the trajectory is not made of straight lines through the centre of k-space",
                    "Use density = pipe-menon");
      result = {std::move(radial), radialOrigin(trajectory)};
      break;
    case DensityMethod::pipeMenon:
      result.origin = "Pipe-Menon, " + std::to_string(options.pipeMenonIterations) + " iterations";
      result.values = iteratedWeights(trajectory, matrix, options, inside, result.origin, backend, progress);
      break;
    case DensityMethod::voronoi:
      if (!voronoiWeights(trajectory, inside, options.nufft.threads, result.values.own(), progress))
        throw Error("Cannot use Voronoi density weights",
                    "the trajectory is neither 2-D nor a stack of planes, or its samples span no area",
                    "Use density = pipe-menon");
      result.origin = "Voronoi cells";
      break;
    case DensityMethod::none:
      result.values.own().assign(std::size_t(trajectory.samples()), 1.0);
      result.origin = "none (every sample counts the same)";
      break;
  }
  if (outside > 0) {
    Buffer<double>& values = result.values.own();
    for (std::size_t j = 0; j < inside.size(); ++j)
      if (!inside[j]) values[j] = 0;
    result.origin += "; " + std::to_string(outside) + " samples beyond the matrix left out";
  }
  progress.report(1, "Density compensation");
  return result;
}

bool densityIterates(const Trajectory& trajectory, const Index3& matrix, const ReconOptions& options) {
  Buffer<double> values;
  if (options.density != DensityMethod::automatic) return options.density == DensityMethod::pipeMenon;
  return trajectory.weights.empty() && !radialWeights(trajectory, values, matrix);
}

}  // namespace spokelab
