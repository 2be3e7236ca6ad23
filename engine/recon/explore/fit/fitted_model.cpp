#include "engine/recon/explore/fit/fitted_model.h"

#include <utility>

#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

FittedModel::FittedModel(Backend& backend, SenseProblem problem, const Progress& progress)
    : problem_(std::move(problem)), space_(problem_.nufft.threads), maps_(hostMaps(problem_)) {
  std::vector<std::string> notes;
  transform_ = makeGroupTransform(space_, backend, problem_, problem_.transform, shotGroups(problem_).front(),
                                  notes, progress);
  measured_ = problem_.coils;
  run_ = backend.senseRun(problem_);
}

std::vector<cfloat> FittedModel::imageOf(const SamplesOfCoils& samples, const Progress& progress) {
  constexpr int imageIterations = 25;
  constexpr double settled = 1e-7;
  for (std::size_t c = 0; c < coils(); ++c) problem_.coils[c] = samples[c].data();
  const IterationOptions options{imageIterations, settled, 0, Regularization::tikhonov};
  SenseSolution solution = run_->run(options, {}, false, progress);
  if (solution.cancelled) throw Cancelled{};
  return std::move(solution.image);
}

SamplesOfCoils FittedModel::samplesOf(const std::vector<cfloat>& image, const std::vector<float>& factor,
                                      const Progress& progress) {
  SamplesOfCoils out(coils(), std::vector<cfloat>(samples()));
  std::vector<cfloat> seen(pixels());
  for (std::size_t c = 0; c < coils(); ++c) {
    for (std::size_t n = 0; n < seen.size(); ++n)
      seen[n] = image[n] * maps_[c * pixels() + n] * (factor.empty() ? 1.0F : factor[n]);
    transform_->forward(seen.data(), out[c].data(), 1, space_.execution(), progress);
  }
  return out;
}

SamplesOfCoils FittedModel::measured() const {
  SamplesOfCoils coilSamples;
  for (const ComplexPointer& coil : measured_) {
    const cfloat* const values = std::get<const cfloat*>(coil);
    coilSamples.emplace_back(values, values + samples());
  }
  return coilSamples;
}

double FittedModel::inner(const SamplesOfCoils& a, const SamplesOfCoils& b) const {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    for (std::size_t j = 0; j < samples(); ++j) {
      const double weight = problem_.weights.empty() ? 1 : problem_.weights[j];
      sum += weight * (std::conj(cdouble(a[c][j])) * cdouble(b[c][j])).real();
    }
  return sum;
}

void subtract(SamplesOfCoils& from, const SamplesOfCoils& other) {
  for (std::size_t c = 0; c < from.size(); ++c)
    for (std::size_t j = 0; j < from[c].size(); ++j) from[c][j] -= other[c][j];
}

}  // namespace spokelab
