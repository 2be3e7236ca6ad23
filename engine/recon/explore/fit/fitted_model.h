// The model of a scan at one set of values: images to samples, and samples to the image that fits
// them best.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/operators/sample_transform.h"
#include "engine/recon/operators/vector_space.h"
#include "engine/recon/sense/backend.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

using SamplesOfCoils = std::vector<std::vector<cfloat>>;  // [coil][sample]

class FittedModel {
 public:
  // The problem's coils are the samples that were measured. Throws Error, Cancelled.
  FittedModel(Backend& backend, SenseProblem problem, const Progress& progress);

  std::size_t coils() const { return measured_.size(); }
  std::size_t samples() const { return std::size_t(transform_->samples()); }
  std::size_t pixels() const { return std::size_t(transform_->pixels()); }

  // The image [pixel] that fits the samples best, by up to 25 conjugate gradients.
  std::vector<cfloat> imageOf(const SamplesOfCoils& samples, const Progress& progress);
  // The samples that each coil would measure of the image times `factor` [pixel]; factor empty:
  // ones.
  SamplesOfCoils samplesOf(const std::vector<cfloat>& image, const std::vector<float>& factor,
                           const Progress& progress);
  SamplesOfCoils measured() const;
  // Re sum_cj w_j conj(a_cj) b_cj, w_j the problem's weights.
  double inner(const SamplesOfCoils& a, const SamplesOfCoils& b) const;

 private:
  SenseProblem problem_;
  HostSpace<float> space_;
  std::vector<cfloat> maps_;
  std::vector<ComplexPointer> measured_;
  std::unique_ptr<SampleTransform<float>> transform_;
  std::unique_ptr<SenseRun> run_;
};

// from -= other
void subtract(SamplesOfCoils& from, const SamplesOfCoils& other);

}  // namespace spokelab
