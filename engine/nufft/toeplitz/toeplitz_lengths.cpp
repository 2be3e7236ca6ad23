#include "engine/nufft/toeplitz/toeplitz_lengths.h"

#include <algorithm>
#include <cmath>

#include "engine/core/array.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/toeplitz/toeplitz.h"

namespace spokelab {
namespace {

constexpr double maxTimedAlpha = 2.4;
constexpr std::size_t timedLengths = 6;
constexpr double secondsPerLength = 0.03, maxSeconds = 0.4;
constexpr int minRuns = 3, maxRuns = 40;

template <class Real>
double secondsAt(const NufftProblem& problem, double alpha, int threads) {
  const SpanScope unbooked(SpanCut::stages);
  ToeplitzOperator<Real> convolve(problem, false, alpha, threads);
  Buffer<std::complex<Real>> image(static_cast<std::size_t>(problem.pixels()), std::complex<Real>(1, 1));
  convolve.apply(image.data(), image.data());  // warms caches and pages up
  const double start = now();
  double best = HUGE_VAL;
  for (int run = 0; run < maxRuns && (run < minRuns || now() - start < secondsPerLength); ++run) {
    const double begin = now();
    convolve.apply(image.data(), image.data());
    best = std::min(best, now() - begin);
  }
  return best;
}

}  // namespace

Index3 toeplitzLengths(const NufftProblem& problem, double alphaT) {
  Index3 lengths{1, 1, 1};
  constexpr double slack = 1e-9;  // alpha_T = L / N, rounded, must give L again
  for (std::size_t d = 0; d < static_cast<std::size_t>(problem.dims); ++d) {
    const std::int64_t n = problem.size[d];
    if (n == 1) continue;
    const auto asked = static_cast<std::int64_t>(std::ceil(alphaT * static_cast<double>(n) * (1 - slack)));
    lengths[d] = nextFastSize(std::max(2 * n - 1, asked));
  }
  return lengths;
}

double toeplitzAlphaOf(const NufftProblem& problem, double alphaT) {
  const Index3 length = toeplitzLengths(problem, alphaT);
  return static_cast<double>(*std::max_element(length.begin(), length.end())) /
         static_cast<double>(*std::max_element(problem.size.begin(), problem.size.end()));
}

std::vector<double> toeplitzAlphas(const NufftProblem& problem, std::size_t maxCount) {
  const std::int64_t n = *std::max_element(problem.size.begin(), problem.size.end());
  std::vector<double> alphas;
  std::int64_t length = 2 * n - 1;
  while (n > 1 && alphas.size() < maxCount) {
    length = nextFastSize(length);
    const double alpha = static_cast<double>(length++) / static_cast<double>(n);
    if (alpha > maxTimedAlpha && !alphas.empty()) break;
    alphas.push_back(alpha);
  }
  if (alphas.empty()) alphas.push_back(2);  // one pixel
  return alphas;
}

double fastestToeplitzAlpha(const NufftProblem& problem, int threads) {
  double best = 0, fastest = HUGE_VAL;
  const double start = now();
  for (const double alpha : toeplitzAlphas(problem, timedLengths)) {
    if (best > 0 && now() - start > maxSeconds) break;
    const double seconds = problem.precision == Precision::single
                               ? secondsAt<float>(problem, alpha, threads)
                               : secondsAt<double>(problem, alpha, threads);
    if (seconds >= fastest) continue;
    fastest = seconds;
    best = alpha;
  }
  return best;
}

}  // namespace spokelab
