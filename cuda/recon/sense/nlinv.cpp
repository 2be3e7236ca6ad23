#include "cuda/recon/sense/nlinv.h"

#include "cuda/device/fft_plan.h"
#include "cuda/recon/operators/device_space.h"
#include "engine/recon/sense/unknowns/nlinv_solver.h"

namespace spokelab::gpu {
namespace {

class DeviceSmoother {
 public:
  DeviceSmoother(DeviceSpace& space, const Index3& matrix, std::int64_t coils, int /*threads*/,
                 const std::vector<double>& weights)
      : space_(space),
        pixels_(product(matrix)),
        coils_(coils),
        weights_(space.make(pixels_)),
        fft_(int(dimensions(matrix)), {int(matrix[0]), int(matrix[1]), int(matrix[2])}, coils, false) {
    space_.uploadReal(weights.data(), weights_.data(), pixels_);
  }

  void toMaps(const cfloat* q, cfloat* maps) const {
    space_.copy(q, maps, coils_ * pixels_);
    space_.scale(weights_.data(), maps, coils_, pixels_);
    transform(maps, 1);
  }
  void fromMaps(cfloat* maps, cfloat* q) const {
    transform(maps, -1);
    space_.copy(maps, q, coils_ * pixels_);
    space_.scale(weights_.data(), q, coils_, pixels_);
  }

 private:
  void transform(cfloat* maps, int sign) const {
    fft_.execute(maps, maps, sign, static_cast<cudaStream_t>(space_.execution().stream));
  }

  DeviceSpace& space_;
  std::int64_t pixels_, coils_;
  DeviceSpace::Vector weights_;
  FftPlan fft_;
};

}  // namespace

std::unique_ptr<SenseRun> nlinvRunOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                           NlinvFrame* last) {
  return std::make_unique<SpaceNlinvRun<DeviceSpace, DeviceSmoother>>(backend, problem, nullptr, last);
}

}  // namespace spokelab::gpu
