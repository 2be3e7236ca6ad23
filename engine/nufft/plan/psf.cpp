#include "engine/nufft/plan/psf.h"

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/output/kept_values.h"
#include "engine/core/simd/cpu_features.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/resolve.h"

namespace spokelab {
namespace {

// Share of the accuracy asked for, and the share where the precision does not reach the first.
constexpr double accuracyShare = 0.1, coarseAccuracyShare = 0.3;
// Finer point spread functions are made in double precision.
constexpr double minFloatAccuracy = 1e-5;
constexpr double alphas[] = {2.0, 1.5, 1.25};
// A grid with more cells at the first alpha is made at a smaller one.
constexpr std::int64_t maxCellsAtFirstAlpha = std::int64_t{1} << 27;
constexpr std::int64_t pointsPerTask = 1 << 14;

struct Request {
  NufftProblem problem;
  NufftOptions options;
  std::int64_t bytes = 0;  // of the plan, its samples and the result
};

NufftProblem lagsOf(const NufftProblem& problem) {
  NufftProblem lags = problem;
  lags.batch = 1;
  for (int d = 0; d + 1 < problem.dims; ++d) {
    lags.size[static_cast<std::size_t>(d)] = 2 * problem.size[static_cast<std::size_t>(d)] - 1;
  }
  return lags;
}

std::int64_t bytesOf(const NufftProblem& problem, const NufftOptions& options, std::int64_t points) {
  const std::int64_t complex = problem.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const std::int64_t coordinates = points * problem.dims * static_cast<std::int64_t>(sizeof(double));
  return estimateCpuMemory(problem, options, points) + coordinates + complex * (points + problem.pixels());
}

// The first grid that fits into `available` bytes, or the smallest grid that reaches the accuracy.
Request requestAt(const NufftProblem& problem, const NufftOptions& options, std::int64_t points,
                  std::int64_t available, double share) {
  Request best;
  for (const double alpha : alphas) {
    Request r;
    r.problem = lagsOf(problem);
    r.options.accuracy = share * options.accuracy;
    r.options.alpha = alpha;
    r.options.kernel = options.kernel;
    r.options.threads = options.threads;
    r.options.reproducible = options.reproducible;
    r.options.normal = NormalMethod::later;  // never applied
    if (r.options.accuracy < minFloatAccuracy) r.problem.precision = Precision::double64;
    try {
      r.bytes = bytesOf(r.problem, r.options, points);
    } catch (const Error&) {
      if (best.bytes == 0) throw;
      break;
    }
    best = r;
    const bool huge = alpha == alphas[0] && product(gridSize(r.problem, alpha, 2)) > maxCellsAtFirstAlpha;
    if (!huge && (available <= 0 || r.bytes <= available)) break;
  }
  return best;
}

Request request(const NufftProblem& problem, const NufftOptions& options, std::int64_t points,
                std::int64_t available) {
  try {
    return requestAt(problem, options, points, available, accuracyShare);
  } catch (const Error&) {
    return requestAt(problem, options, points, available, coarseAccuracyShare);
  }
}

// w_j e^{-s 2 pi i floor(N/2) k_j} with the last dimension's N and k, so that the result starts at
// lag 0 there.
template <class Work>
Buffer<std::complex<Work>> samplesOf(const NufftProblem& problem, std::span<const double> points,
                                     std::span<const double> weights, int threads) {
  const auto dims = static_cast<std::size_t>(problem.dims);
  const double shift = -2 * std::numbers::pi * problem.sign * static_cast<double>(problem.size[dims - 1] / 2);
  Buffer<std::complex<Work>> samples(points.size() / dims);
  parallelFor(static_cast<std::int64_t>(samples.size()), threads, pointsPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
                  const double k = points[j * dims + dims - 1];
                  const cdouble turn = std::polar(1.0, shift * (k - std::floor(k)));
                  samples[j] = std::complex<Work>(weights.empty() ? turn : weights[j] * turn);
                }
              });
  return samples;
}

template <class Work>
void makePointSpread(const Request& r, std::span<const double> points, std::span<const double> weights,
                     std::complex<Work>* psf) {
  std::unique_ptr<Nufft<Work>> plan;
  if constexpr (std::is_same_v<Work, float>) {
    plan = makeCpuNufftFloat(r.problem, r.options);
  } else {
    plan = makeCpuNufftDouble(r.problem, r.options);
  }
  plan->setPoints(points);
  const auto samples = samplesOf<Work>(r.problem, points, weights, r.options.threads);
  plan->adjoint(samples.data(), psf);
}

ValueHash keyOf(const Request& r, std::span<const double> points, std::span<const double> weights) {
  const NufftProblem& p = r.problem;
  const std::array<double, 9> numbers{double(p.dims),     double(p.size[0]), double(p.size[1]),
                                      double(p.size[2]),  double(p.sign),    double(p.measure),
                                      r.options.accuracy, r.options.alpha,   double(r.options.reproducible)};
  return HashBuilder()
      .add(std::string_view(versionText()))
      .add(instructionSetName(instructionSet()))
      .add(kernelName(r.options.kernel))
      .add(std::string_view(p.precision == Precision::single ? "single" : "double"))
      .add(std::span<const double>(numbers))
      .add(points)
      .add(weights)
      .hash();
}

template <class Work, class Real>
void compute(const Request& r, std::span<const double> points, std::span<const double> weights,
             ToeplitzOperator<Real>& target) {
  Buffer<std::complex<Work>> psf(static_cast<std::size_t>(r.problem.pixels()));
  KeptValues* const kept = KeptValues::ofThread();
  const ValueHash key = kept ? keyOf(r, points, weights) : ValueHash{};
  const std::span<std::complex<Work>> values(psf);
  if (!kept || !kept->take("spread", key, values)) {
    const double begin = now();
    makePointSpread(r, points, weights, psf.data());
    if (kept)
      kept->keep<std::complex<Work>>(
          "spread",
          "point spread function: " + sizeText(r.problem.size, r.problem.dims, " x ") + " lags, accuracy " +
              numberText(r.options.accuracy, 2),
          key, values, now() - begin);
  }
  target.setPsf(psf.data());
}

}  // namespace

std::int64_t estimatePointSpread(const NufftProblem& problem, const NufftOptions& options,
                                 std::int64_t points, std::int64_t available) {
  return request(problem, options, points, available).bytes;
}

PointSpreadPlan pointSpreadPlan(const NufftProblem& problem, const NufftOptions& options,
                                std::int64_t points) {
  const Request r = request(problem, options, points, 0);
  const NufftOptions resolved = resolveOptions(r.problem, r.options);
  const Kernel kernel(resolved.kernel, resolved.width, resolved.alpha);
  const Index3 grid = gridSize(r.problem, resolved.alpha, resolved.width);
  const double deviation = polynomialTolerance(r.problem, kernel, grid, resolved.accuracy);
  return {r.problem, kernel, grid, predictError(r.problem, kernel, grid, deviation, resolved.accuracy)};
}

template <class Real>
void setPointSpread(const NufftProblem& problem, const NufftOptions& options, std::span<const double> points,
                    std::span<const double> weights, std::int64_t available, ToeplitzOperator<Real>& target) {
  const auto count = static_cast<std::int64_t>(points.size()) / problem.dims;
  const Request r = request(problem, options, count, available);
  if (r.problem.precision == Precision::double64) {
    compute<double>(r, points, weights, target);
  } else {
    compute<float>(r, points, weights, target);
  }
}

template void setPointSpread(const NufftProblem&, const NufftOptions&, std::span<const double>,
                             std::span<const double>, std::int64_t, ToeplitzOperator<float>&);
template void setPointSpread(const NufftProblem&, const NufftOptions&, std::span<const double>,
                             std::span<const double>, std::int64_t, ToeplitzOperator<double>&);

}  // namespace spokelab
