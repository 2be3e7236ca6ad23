#include "engine/recon/sense/unknowns/nlinv.h"

#include <cmath>

#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/recon/sense/unknowns/nlinv_solver.h"

namespace spokelab {
namespace {

constexpr double mapWidth = 220.0 / (128 * 128);
constexpr int mapPower = 16;
constexpr std::int64_t pixelsPerTask = 1 << 13;

template <class Real>
class HostSmoother {
 public:
  using Complex = std::complex<Real>;

  HostSmoother(const HostSpace<Real>&, const Index3& matrix, std::int64_t coils, int threads,
               const std::vector<double>& weights)
      : threads_(threads),
        coils_(coils),
        weights_(weights.begin(), weights.end()),
        toKspace_(matrix, -1, threads),
        toImage_(matrix, 1, threads) {}

  void toMaps(const Complex* q, Complex* maps) const {
    weight(q, maps);
    for (std::int64_t c = 0; c < coils_; ++c) toImage_.execute(maps + c * pixels());
  }
  void fromMaps(Complex* maps, Complex* q) const {
    for (std::int64_t c = 0; c < coils_; ++c) toKspace_.execute(maps + c * pixels());
    weight(maps, q);
  }

 private:
  std::int64_t pixels() const { return std::int64_t(weights_.size()); }
  void weight(const Complex* in, Complex* out) const {
    parallelFor(pixels(), threads_, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = 0; c < coils_; ++c)
        for (std::int64_t i = begin; i < end; ++i)
          out[c * pixels() + i] = weights_[std::size_t(i)] * in[c * pixels() + i];
    });
  }

  int threads_;
  std::int64_t coils_;
  std::vector<Real> weights_;
  BoxFft<Real> toKspace_, toImage_;
};

}  // namespace

std::vector<double> smoothWeights(const Index3& matrix) {
  const std::int64_t pixels = product(matrix);
  std::vector<double> weights;
  for (std::int64_t i = 0; i < pixels; ++i) {
    const std::int64_t at[] = {i % matrix[0], i / matrix[0] % matrix[1], i / (matrix[0] * matrix[1])};
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto k = double(at[d] <= matrix[d] / 2 ? at[d] : at[d] - matrix[d]);
      if (matrix[d] > 1) square += k * k;
    }
    weights.push_back(std::pow(1 + mapWidth * square, -mapPower) / std::sqrt(double(pixels)));
  }
  return weights;
}

std::unique_ptr<SenseRun> nlinvRun(TransformBackend& backend, const SenseProblem& problem,
                                   std::vector<cdouble>* maps, NlinvFrame* last) {
  if (problem.precision == Precision::double64)
    return std::make_unique<SpaceNlinvRun<HostSpace<double>, HostSmoother<double>>>(backend, problem, maps,
                                                                                    last);
  return std::make_unique<SpaceNlinvRun<HostSpace<float>, HostSmoother<float>>>(backend, problem, maps, last);
}

}  // namespace spokelab
