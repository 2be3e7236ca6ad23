#include "cuda/nufft/plan/psf.h"

#include <type_traits>

#include "cuda/backend.h"
#include "cuda/nufft/plan/plan.h"

namespace spokelab::gpu {
namespace {

constexpr double share = 0.1;           // of the accuracy asked for
constexpr double floatAccuracy = 1e-5;  // finer point spread functions are made in double
constexpr double wideGrid = 2.0, tightGrid = 1.5;
constexpr std::int64_t tightFrom = std::int64_t(1) << 28;  // cells of the wide grid

template <class Work, class Real>
void compute(const DeviceInfo& device, NufftProblem problem, NufftOptions options, const double* coordinates,
             std::int64_t count, const std::vector<double>& weights, ToeplitzOperator<Real>& target,
             cudaStream_t stream) {
  problem.precision = std::is_same_v<Work, double> ? Precision::dbl : Precision::single;
  const auto plan = makeNufft<Work>(device, problem, options);
  dynamic_cast<DevicePointPlan&>(*plan).setDevicePoints(coordinates, count, stream, nullptr);
  std::vector<Complex<Work>> values(std::size_t(count), Complex<Work>{1, 0});
  for (std::size_t j = 0; j < weights.size(); ++j) values[j].x = Work(weights[j]);
  DeviceBuffer<Complex<Work>> samples, psf(problem.pixels());
  samples.upload(values.data(), count, stream);
  Execution execution;
  execution.devicePointers = true;
  execution.stream = stream;
  plan->adjoint(reinterpret_cast<const std::complex<Work>*>(samples.data()),
                reinterpret_cast<std::complex<Work>*>(psf.data()), execution);
  target.setPsf(psf.data(), stream);
  synchronize(stream);
}

}  // namespace

template <class Real>
void setPointSpread(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options,
                    const double* coordinates, std::int64_t count, const std::vector<double>& weights,
                    ToeplitzOperator<Real>& target, cudaStream_t stream) {
  NufftProblem wide = problem;
  wide.batch = 1;
  double cells = 1;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    wide.size[d] = problem.size[d] > 1 ? 2 * problem.size[d] : 1;
    cells *= wideGrid * double(wide.size[d]);
  }
  NufftOptions finer;
  finer.accuracy = share * options.accuracy;
  finer.kernel = options.kernel;
  finer.normal = NormalMethod::gridded;
  finer.alpha = cells > double(tightFrom) ? tightGrid : wideGrid;
  const bool inDouble = std::is_same_v<Real, double> || finer.accuracy < floatAccuracy;
  if (inDouble)
    compute<double>(device, wide, finer, coordinates, count, weights, target, stream);
  else
    compute<float>(device, wide, finer, coordinates, count, weights, target, stream);
}

template void setPointSpread(const DeviceInfo&, const NufftProblem&, const NufftOptions&, const double*,
                             std::int64_t, const std::vector<double>&, ToeplitzOperator<float>&,
                             cudaStream_t);
template void setPointSpread(const DeviceInfo&, const NufftProblem&, const NufftOptions&, const double*,
                             std::int64_t, const std::vector<double>&, ToeplitzOperator<double>&,
                             cudaStream_t);

}  // namespace spokelab::gpu
