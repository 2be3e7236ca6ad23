// The normal operator of a real temporal basis by a Toeplitz kernel for each pair of coefficients:
//   sum_t phi(t, i) T_t phi(t, j) = T_ij,
// the convolution with the point spread function of all frames' points, their weights times
// phi(t, i) phi(t, j). T_ij = T_ji: K (K + 1) / 2 kernels, and K^2 convolutions instead of a
// transform of each frame (Tamir et al., T2 shuffling, MRM 2017).
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

// Pairs (i, j), i <= j, in the order of their kernels.
inline std::vector<std::pair<std::int64_t, std::int64_t>> basisPairs(std::int64_t coefficients) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t i = 0; i < coefficients; ++i)
    for (std::int64_t j = i; j < coefficients; ++j) pairs.emplace_back(i, j);
  return pairs;
}

// A transform for each pair. frames: of one matrix, without a field; shots: of each frame, the
// group of all its samples. total: that weights are divided by. Empty, and a note says why, where
// the plan has no Toeplitz form.
template <class Real>
std::vector<std::unique_ptr<SampleTransform<Real>>> makeBasisKernels(
    TransformBackend& backend, const std::vector<SenseProblem>& frames, const std::vector<ShotGroup>& shots,
    double total, std::vector<std::string>& notes, const Progress& progress) {
  const SenseProblem& first = frames.front();
  std::vector<double> points, weights;
  std::vector<std::size_t> frameOf;
  for (std::size_t t = 0; t < frames.size(); ++t) {
    Buffer<double> room;
    const std::span<const double> own = groupCoordinates(frames[t], shots[t], room);
    points.insert(points.end(), own.begin(), own.end());
    Buffer<double> given = groupWeights(frames[t], shots[t]);
    if (given.empty()) given.assign(shots[t].samples.size(), 1);
    weights.insert(weights.end(), given.begin(), given.end());
    frameOf.insert(frameOf.end(), given.size(), t);
  }
  NufftProblem problem = nufftProblem(first, first.batch);
  problem.precision = std::is_same_v<Real, float> ? Precision::single : Precision::double64;
  NufftOptions options = first.nufft;
  if (!isToeplitz(options.normal)) options.normal = NormalMethod::toeplitz;
  std::vector<std::unique_ptr<SampleTransform<Real>>> kernels;
  const auto pairs = basisPairs(std::int64_t(first.basis.size()));
  try {
    for (const auto& [i, j] : pairs) {
      progress.report(double(kernels.size()) / double(pairs.size()), "Making kernels of the basis");
      auto kernel = std::make_unique<NufftTransform<Real>>(backend.plan<Real>(problem, options),
                                                           pointsAt(first, points));
      std::vector<double> own(weights.size());
      for (std::size_t n = 0; n < own.size(); ++n) {
        const std::vector<cdouble>& phi = frames[frameOf[n]].basis;
        own[n] = weights[n] / total * phi[std::size_t(i)].real() * phi[std::size_t(j)].real();
      }
      kernel->setWeights(own);
      kernels.push_back(std::move(kernel));
    }
  } catch (const Error& error) {
    notes.push_back("the kernels of the basis are not used: " + error.reason());
    kernels.clear();
  }
  return kernels;
}

}  // namespace spokelab
