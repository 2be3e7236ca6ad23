// Shared by the GPU's tests: the backend from its module (or the reason for its absence), seeded
// problems, and the error of the accuracy contract.
#pragma once

#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/nufft/exact/nudft.h"
#include "engine/recon/sense/backend.h"

namespace spokelab::gputest {

// The module's backend, loaded once; null, with reason(), if it is missing. SPOKELAB_CUDA_MODULE
// names another file.
Backend* backend();
const std::string& reason();

enum class PointPattern { random, clustered, edges, oneCell };

// [count, dims], cycles per pixel. edges: -1/2, 1/2, 0, grid lines, their neighbours, and beyond
// the period.
std::vector<double> makePoints(int dims, std::int64_t count, PointPattern pattern, unsigned seed);

// Independent complex normal values.
std::vector<cdouble> randomValues(std::int64_t count, unsigned seed);

template <class Real>
std::vector<std::complex<Real>> converted(std::span<const cdouble> values) {
  return {values.begin(), values.end()};
}

// |a - b| / max(|b|, sqrt(R) |u|): the accuracy contract's error, R values from input u.
template <class Real>
double contractError(std::span<const std::complex<Real>> a, std::span<const cdouble> b,
                     std::span<const cdouble> input);

double norm(std::span<const cdouble> values);

// |a - b| / |b|.
template <class Real>
double relativeDistance(std::span<const std::complex<Real>> a, std::span<const std::complex<Real>> b);

// The contract's errors of both directions against the exact sums, one draw.
struct Errors {
  double forward = 0, adjoint = 0;
};
Errors errorsAgainstNudft(const NufftProblem& problem, const NufftOptions& options,
                          std::span<const double> points, unsigned seed);

// The same from a CPU plan with the same kernel and grid.
Errors errorsOnCpu(const NufftProblem& problem, const NufftOptions& options, std::span<const double> points,
                   unsigned seed);

// True if this device spreads such a problem by the method.
bool offers(Method method, const NufftProblem& problem, const NufftOptions& options);

// Difference of a problem's batch from its images and samples one after the other.
Errors batchAgainstSingle(const NufftProblem& problem, const NufftOptions& options,
                          std::span<const double> points);

}  // namespace spokelab::gputest

// Skips the test function without a GPU, by name.
#define NEEDS_GPU()                                            \
  if (!spokelab::gputest::backend()) {                         \
    QSKIP(("No GPU: " + spokelab::gputest::reason()).c_str()); \
  }                                                            \
  static_cast<void>(0)
