#include "cuda/nufft/plan/psf.h"

#include <type_traits>

#include "cuda/nufft/fft/deapodize.h"
#include "cuda/nufft/plan/plan.h"
#include "engine/core/measure/trace_part.h"

namespace spokelab::gpu {
namespace {

// Part of the accuracy asked for that the point spread function may spend.
constexpr double shareOfAccuracy = 0.1;
// Finer point spread functions are made in double.
constexpr double minFloatAccuracy = 1e-5;
constexpr double wideAlpha = 2.0, tightAlpha = 1.5;
// Cells of the wide grid from which the tight one is used: it would take too much memory.
constexpr std::int64_t maxWideCells = std::int64_t(1) << 28;

template <class Work, class Real>
void compute(const DeviceInfo& device, NufftProblem problem, NufftOptions options, const double* coordinates,
             std::int64_t count, const Real* weights, ToeplitzOperator<Real>& target, cudaStream_t stream) {
  problem.precision = std::is_same_v<Work, double> ? Precision::dbl : Precision::single;
  CudaNufft<Work> plan(device, problem, options);
  plan.setDevicePoints(coordinates, count, stream, nullptr);
  DeviceBuffer<Complex<Work>> samples(count), psf(problem.pixels());
  fillSamples<Real, Work>(weights, samples.data(), count, stream);
  Execution execution;
  execution.devicePointers = true;
  execution.stream = stream;
  plan.adjoint(reinterpret_cast<const std::complex<Work>*>(samples.data()),
               reinterpret_cast<std::complex<Work>*>(psf.data()), execution);
  target.setPsf(psf.data(), stream);
  synchronize(stream);
}

}  // namespace

template <class Real>
void setPointSpread(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options,
                    const double* coordinates, std::int64_t count, const Real* weights,
                    ToeplitzOperator<Real>& target, cudaStream_t stream) {
  const TracePart traced("point spread function");
  NufftProblem wide = problem;
  wide.batch = 1;
  double cells = 1;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    wide.size[d] = problem.size[d] > 1 ? 2 * problem.size[d] : 1;
    cells *= wideAlpha * double(wide.size[d]);
  }
  NufftOptions finer;
  finer.accuracy = shareOfAccuracy * options.accuracy;
  finer.kernel = options.kernel;
  finer.normal = NormalMethod::gridded;
  finer.reproducible = options.reproducible;
  finer.alpha = cells > double(maxWideCells) ? tightAlpha : wideAlpha;
  const bool inDouble = std::is_same_v<Real, double> || finer.accuracy < minFloatAccuracy;
  if (inDouble)
    compute<double>(device, wide, finer, coordinates, count, weights, target, stream);
  else
    compute<float>(device, wide, finer, coordinates, count, weights, target, stream);
}

template void setPointSpread(const DeviceInfo&, const NufftProblem&, const NufftOptions&, const double*,
                             std::int64_t, const float*, ToeplitzOperator<float>&, cudaStream_t);
template void setPointSpread(const DeviceInfo&, const NufftProblem&, const NufftOptions&, const double*,
                             std::int64_t, const double*, ToeplitzOperator<double>&, cudaStream_t);

}  // namespace spokelab::gpu
