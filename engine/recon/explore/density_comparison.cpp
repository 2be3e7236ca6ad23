#include "engine/recon/explore/density_comparison.h"

#include <algorithm>
#include <cmath>

#include "engine/core/stage_timer.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/prepare/sample_selection.h"

namespace spokelab {

WeightAgreement compareWeights(const Trajectory& t, const Index3& matrix, std::span<const double> a,
                               std::span<const double> b, double share) {
  const auto dims = std::size_t(t.dims);
  const auto radius2 = [&](std::size_t j) {
    double sum = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      const double k = t.points[j * dims + d] / double(matrix[d]);
      sum += k * k;
    }
    return sum;
  };
  double largest = 0;
  for (std::size_t j = 0; j < b.size(); ++j)
    if (a[j] != 0 || b[j] != 0) largest = std::max(largest, radius2(j));
  double difference = 0, norm = 0, sumA = 0, sumB = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (radius2(j) > share * share * largest) continue;
    difference += (a[j] - b[j]) * (a[j] - b[j]);
    norm += b[j] * b[j];
    sumA += a[j];
    sumB += b[j];
  }
  WeightAgreement result;
  if (norm > 0) result.rms = std::sqrt(difference / norm);
  if (sumB > 0) result.total = sumA / sumB - 1;
  return result;
}

std::vector<DensityTrial> compareDensity(const Scan& scan, const ReconOptions& options,
                                         std::vector<DensityMethod> methods, NufftBackend& backend,
                                         const Progress& progress) {
  if (methods.empty())
    methods = {DensityMethod::file, DensityMethod::analytic, DensityMethod::pipeMenon,
               DensityMethod::voronoi};
  const int frame = planJob(scan, options).frames.front();
  const SampleChoice choice = chooseSamples(scan, frame, options);
  const Index3& matrix = scan.geometry.matrix;
  std::vector<DensityTrial> trials;
  const DensityTrial* reference = nullptr;
  trials.reserve(methods.size());
  const double steps = 2 * double(methods.size());
  for (DensityMethod method : methods) {
    const double done = 2 * double(trials.size()) / steps;
    DensityTrial& trial = trials.emplace_back();
    trial.method = method;
    ReconOptions methodOptions = options;
    methodOptions.density = method;
    const Trajectory t = selectedTrajectory(scan, frame, methodOptions, choice);
    try {
      const double start = now();
      trial.weights =
          densityWeights(t, matrix, methodOptions, backend, progress.part(done, done + 1 / steps));
      trial.seconds = now() - start;
      trial.weights.values.own();  // the trajectory ends here
    } catch (const Error& error) {
      trial.refused = error.reason();
      continue;
    }
    trial.spread = pointSpread(t, trial.weights.values, matrix, options, backend,
                               progress.part(done + 1 / steps, done + 2 / steps));
    if (!reference) reference = &trial;
    trial.agreement = compareWeights(t, matrix, trial.weights.values, reference->weights.values);
  }
  if (!reference)
    throw Error("Cannot weigh the samples of " + scan.name, trials.front().refused, "Ask for other methods");
  return trials;
}

}  // namespace spokelab
