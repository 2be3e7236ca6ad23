#include "tests/cuda/gpu_test.h"

#include <cmath>
#include <cstdlib>
#include <memory>

#include "cuda/backend.h"
#include "engine/core/modules/cuda_module.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab::gputest {
namespace {

struct Loaded {
  std::unique_ptr<Backend> backend;
  std::string reason;

  Loaded() {
    if (!std::getenv("SPOKELAB_CUDA_MODULE")) useCudaModule(SPOKELAB_CUDA_MODULE);
    const auto make =
        reinterpret_cast<SpokelabCudaBackendFunction>(cudaModuleFunction("spokelabCudaBackend", reason));
    if (!make) return;
    char text[512] = "";
    backend.reset(make(text, sizeof text));
    reason = text;
  }
};

Loaded& loaded() {
  static Loaded once;
  return once;
}

template <class Real>
Errors measured(std::unique_ptr<Nufft<Real>> plan, std::span<const double> points, unsigned seed) {
  using Complex = std::complex<Real>;
  const NufftProblem& problem = plan->problem();
  plan->setPoints(points);
  const std::int64_t count = plan->points();
  // Rounded to the precision first: what is measured is the transform, not the conversion.
  const auto round = [](std::vector<cdouble> v) {
    for (cdouble& x : v) x = cdouble(Complex(x));
    return v;
  };
  const auto image = round(randomValues(problem.pixels(), seed));
  const auto samples = round(randomValues(count, seed + 1));
  const auto in = converted<Real>(image), data = converted<Real>(samples);
  std::vector<Complex> forward(static_cast<std::size_t>(count)),
      adjoint(static_cast<std::size_t>(problem.pixels()));
  plan->forward(in.data(), forward.data());
  plan->adjoint(data.data(), adjoint.data());
  Errors errors;
  errors.forward = contractError<Real>(forward, nudftForward(problem, points, image), image);
  errors.adjoint = contractError<Real>(adjoint, nudftAdjoint(problem, points, samples), samples);
  return errors;
}

}  // namespace

Backend* backend() {
  return loaded().backend.get();
}
const std::string& reason() {
  return loaded().reason;
}

std::vector<double> makePoints(int dims, std::int64_t count, PointPattern pattern, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const double special[] = {-0.5, 0.5,  0.0,  -1e-18, 1e-18, 0.25, -0.25, 0.4999999999999999,
                            0.75, -1.3, 17.0, 1.0 / 3};
  constexpr int specials = sizeof special / sizeof *special;
  std::uniform_int_distribution<int> which(0, specials - 1);
  constexpr double clusterSize = 0.03, cellSize = 1e-4;
  std::vector<double> points(static_cast<std::size_t>(count * dims));
  for (double& k : points) {
    switch (pattern) {
      case PointPattern::random:
        k = uniform(generator);
        break;
      case PointPattern::clustered:
        k = 0.49 + clusterSize * uniform(generator);
        break;
      case PointPattern::edges:
        k = special[which(generator)];
        break;
      case PointPattern::oneCell:
        k = 0.1 + cellSize * uniform(generator);
        break;
    }
  }
  return points;
}

std::vector<cdouble> randomValues(std::int64_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<cdouble> values(static_cast<std::size_t>(count));
  for (cdouble& v : values) {
    const double re = normal(generator);
    v = {re, normal(generator)};
  }
  return values;
}

double norm(std::span<const cdouble> values) {
  double sum = 0;
  for (const cdouble& v : values) sum += std::norm(v);
  return std::sqrt(sum);
}

template <class Real>
double contractError(std::span<const std::complex<Real>> a, std::span<const cdouble> b,
                     std::span<const cdouble> input) {
  double difference = 0;
  for (std::size_t i = 0; i < b.size(); ++i) difference += std::norm(cdouble(a[i]) - b[i]);
  const double scale = std::max(norm(b), std::sqrt(double(b.size())) * norm(input));
  return scale > 0 ? std::sqrt(difference) / scale : std::sqrt(difference);
}
template double contractError<float>(std::span<const cfloat>, std::span<const cdouble>,
                                     std::span<const cdouble>);
template double contractError<double>(std::span<const cdouble>, std::span<const cdouble>,
                                      std::span<const cdouble>);

template <class Real>
double relativeDistance(std::span<const std::complex<Real>> a, std::span<const std::complex<Real>> b) {
  double d = 0, s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    d += std::norm(cdouble(a[i]) - cdouble(b[i]));
    s += std::norm(cdouble(b[i]));
  }
  return std::sqrt(d / s);
}
template double relativeDistance<float>(std::span<const cfloat>, std::span<const cfloat>);
template double relativeDistance<double>(std::span<const cdouble>, std::span<const cdouble>);

Errors errorsAgainstNudft(const NufftProblem& problem, const NufftOptions& options,
                          std::span<const double> points, unsigned seed) {
  return problem.precision == Precision::single
             ? measured(backend()->plan<float>(problem, options), points, seed)
             : measured(backend()->plan<double>(problem, options), points, seed);
}

bool offers(Method method, const NufftProblem& problem, const NufftOptions& options) {
  const auto offered = backend()->allSpreadMethods(problem, options);
  return std::find(offered.begin(), offered.end(), method) != offered.end();
}

Errors errorsOnCpu(const NufftProblem& problem, const NufftOptions& options, std::span<const double> points,
                   unsigned seed) {
  NufftOptions blocked = options;
  blocked.spread = blocked.interpolate = Method::automatic;
  return problem.precision == Precision::single
             ? measured(makeCpuNufftFloat(problem, blocked), points, seed)
             : measured(makeCpuNufftDouble(problem, blocked), points, seed);
}

namespace {

template <class Real>
Errors ofBatch(NufftProblem problem, const NufftOptions& options, std::span<const double> points) {
  const std::int64_t batch = problem.batch, pixels = problem.pixels(),
                     count = std::int64_t(points.size()) / problem.dims;
  const auto many = backend()->plan<Real>(problem, options);
  problem.batch = 1;
  const auto one = backend()->plan<Real>(problem, options);
  one->setPoints(points);
  many->setPoints(points);
  const auto images = converted<Real>(randomValues(batch * pixels, 2));
  const auto samples = converted<Real>(randomValues(batch * count, 3));
  std::vector<std::complex<Real>> forward(samples.size()), adjoint(images.size()), forward1(samples.size()),
      adjoint1(images.size());
  many->forward(images.data(), forward.data());
  many->adjoint(samples.data(), adjoint.data());
  for (std::int64_t b = 0; b < batch; ++b) {
    one->forward(images.data() + b * pixels, forward1.data() + b * count);
    one->adjoint(samples.data() + b * count, adjoint1.data() + b * pixels);
  }
  return {relativeDistance<Real>(forward, forward1), relativeDistance<Real>(adjoint, adjoint1)};
}

}  // namespace

Errors batchAgainstSingle(const NufftProblem& problem, const NufftOptions& options,
                          std::span<const double> points) {
  return problem.precision == Precision::single ? ofBatch<float>(problem, options, points)
                                                : ofBatch<double>(problem, options, points);
}

}  // namespace spokelab::gputest
