// The part of a backend that SENSE needs: NUFFT plans and exact field-corrected transforms, in its
// memory.
#pragma once

#include <memory>
#include <type_traits>
#include <variant>

#include "engine/nufft/nufft.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/field/gdft/gdft.h"

namespace spokelab {

class CoilMixer;
struct Candidate;
struct EspiritPixels;
struct PathRequest;
struct TimingPolicy;
struct WalshPixels;

using AnyGdft =
    std::variant<std::unique_ptr<SampleTransform<float>>, std::unique_ptr<SampleTransform<double>>>;

class TransformBackend : public NufftBackend {
 public:
  // On the GPU, the transform takes device or host pointers. Throws Error where the problem is not
  // defined.
  template <class Real>
  std::unique_ptr<SampleTransform<Real>> gdft(const GdftProblem& problem, int threads = 0) {
    constexpr Precision precision = std::is_same_v<Real, float> ? Precision::single : Precision::double64;
    return std::get<std::unique_ptr<SampleTransform<Real>>>(makeGdft(precision, problem, threads));
  }
  virtual AnyGdft makeGdft(Precision precision, const GdftProblem& problem, int threads) {
    if (precision == Precision::single) return makeCpuGdft<float>(problem, threads);
    return makeCpuGdft<double>(problem, threads);
  }
  // Starts to load what espiritMaps() of a volume will need, on another thread.
  virtual void expectEspirit() {}
  // ESPIRiT's maps (espirit_maps.h) in this backend's memory; null: the host computes them. Throws
  // Error, Cancelled.
  virtual std::shared_ptr<const BackendMaps> espiritMaps(const EspiritPixels& /*pixels*/,
                                                         const Progress& /*progress*/) {
    return nullptr;
  }
  // Walsh's maps (walsh_maps.h), likewise.
  virtual std::shared_ptr<const BackendMaps> walshMaps(const WalshPixels& /*pixels*/,
                                                       const Progress& /*progress*/) {
    return nullptr;
  }
  // Mixes coils of scans in this backend's memory (coil_mixer.h), for one job; null: the host does.
  virtual std::shared_ptr<CoilMixer> coilMixer() { return nullptr; }
  // Times a way through a field (path_timing.h), with the vectors in this backend's memory.
  virtual void timePath(const PathRequest& request, Candidate& candidate, const TimingPolicy& policy,
                        const Progress& progress);
};

}  // namespace spokelab
