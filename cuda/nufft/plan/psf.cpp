#include "cuda/nufft/plan/psf.h"

#include <iterator>
#include <memory>
#include <type_traits>

#include "cuda/nufft/plan/plan.h"
#include "cuda/nufft/toeplitz/psf_samples.h"
#include "engine/core/measure/spans.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/kernel/smallest_width.h"

namespace spokelab::gpu {
namespace {

// Part of the requested accuracy that the point spread function may spend.
constexpr double shareOfAccuracy = 0.1;
// Finer point spread functions are made in double.
constexpr double minFloatAccuracy = 1e-5;
// Tried in this order: the FFT of a grid that is twice the image already takes most of the time,
// and the grid most of the memory. Wider kernels than these have no fast method.
constexpr double alphas[] = {1.25, 1.5, 2.0};
constexpr double maxWidth = 8;
// Upper bound of a plan that is kept. Making a larger plan is a small part of its work.
constexpr std::int64_t maxKeptBytes = std::int64_t(1) << 26;

double smallestAlpha(NufftProblem problem, const NufftOptions& options, Precision precision) {
  problem.precision = precision;
  for (const double alpha : alphas) {
    const double width = smallestWidth(problem, resolvedKernel(options.kernel), alpha, options.accuracy);
    if (width > 0 && width <= maxWidth) return alpha;
  }
  return std::end(alphas)[-1];
}

// plan: null, or the plan of an earlier call, which is used again. On return it is kept for the
// next call if `mayKeep` and if it is small, else null.
template <class Work, class Real>
void compute(std::unique_ptr<CudaNufft<Work>>& plan, bool mayKeep, const DeviceInfo& device,
             NufftProblem problem, const NufftOptions& options, const double* coordinates, std::int64_t count,
             const Real* weights, ToeplitzOperator<Real>& target, cudaStream_t stream) {
  problem.precision = std::is_same_v<Work, double> ? Precision::double64 : Precision::single;
  if (!plan) plan = std::make_unique<CudaNufft<Work>>(device, problem, options);
  plan->setPoints(devicePoints({coordinates, std::size_t(count * problem.dims)}, stream));
  DeviceBuffer<Complex<Work>> samples(count), psf(problem.pixels());
  makePsfSamples<Real, Work>(problem, coordinates, weights, samples.data(), count, stream);
  Execution execution;
  execution.devicePointers = true;
  execution.stream = stream;
  plan->adjoint(reinterpret_cast<const std::complex<Work>*>(samples.data()),
                reinterpret_cast<std::complex<Work>*>(psf.data()), execution);
  // Before the convolution takes memory: a peak beyond what the device's pool keeps is mapped anew
  // by each job.
  samples.release();
  if (!mayKeep || plan->info().memory > maxKeptBytes) plan.reset();
  target.setPsf(psf.data(), stream);
  synchronize(stream);
}

template <class Work>
std::int64_t memoryOf(const std::unique_ptr<CudaNufft<Work>>& plan) {
  return plan ? plan->info().memory : 0;
}

}  // namespace

template <class Real>
struct PointSpread<Real>::Plans {
  std::unique_ptr<CudaNufft<float>> inSingle;
  std::unique_ptr<CudaNufft<double>> inDouble;
  bool wasSet = false;  // set() ran before, so it may run again; cleared by release()
};

template <class Real>
PointSpread<Real>::PointSpread() = default;
template <class Real>
PointSpread<Real>::~PointSpread() = default;

template <class Real>
std::int64_t PointSpread<Real>::memory() const {
  return plans_ ? memoryOf(plans_->inSingle) + memoryOf(plans_->inDouble) : 0;
}

template <class Real>
void PointSpread<Real>::release() {
  plans_.reset();
}

template <class Real>
void PointSpread<Real>::set(const DeviceInfo& device, const NufftProblem& problem,
                            const NufftOptions& options, const double* coordinates, std::int64_t count,
                            const Real* weights, ToeplitzOperator<Real>& target, cudaStream_t stream) {
  const Span traced("point spread function");
  NufftProblem wide = problem;
  wide.batch = 1;
  wide.sets = 0;
  // Twice the image along all dimensions but the last: the point spread function is Hermitian, so
  // that half of it along one dimension suffices.
  for (std::size_t d = 0; d + 1 < std::size_t(problem.dims); ++d)
    wide.size[d] = problem.size[d] > 1 ? 2 * problem.size[d] : 1;
  NufftOptions finer;
  finer.accuracy = shareOfAccuracy * options.accuracy;
  finer.kernel = options.kernel;
  finer.normal = NormalMethod::later;  // never applied
  finer.reproducible = options.reproducible;
  const bool inDouble = std::is_same_v<Real, double> || finer.accuracy < minFloatAccuracy;
  finer.alpha = smallestAlpha(wide, finer, inDouble ? Precision::double64 : Precision::single);
  if (!plans_) plans_ = std::make_unique<Plans>();
  Plans& plans = *plans_;
  // A plan is kept from the second call on: most have their points set once. A memory limit leaves
  // no room for it, as the plan's memory is estimated without it.
  const bool mayKeep = plans.wasSet && options.memoryLimit == 0;
  if (inDouble)
    compute<double>(plans.inDouble, mayKeep, device, wide, finer, coordinates, count, weights, target,
                    stream);
  else if constexpr (std::is_same_v<Real, float>)
    compute<float>(plans.inSingle, mayKeep, device, wide, finer, coordinates, count, weights, target, stream);
  plans.wasSet = true;
}

template class PointSpread<float>;
template class PointSpread<double>;

}  // namespace spokelab::gpu
