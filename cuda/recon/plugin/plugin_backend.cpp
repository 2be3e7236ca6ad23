#include "cuda/recon/plugin/plugin_backend.h"

#include "cuda/recon/sense/nlinv.h"
#include "cuda/recon/sense/solve_sense.h"
#include "cuda/recon/sense/time_path.h"
#include "engine/core/memory/memory_ceiling.h"
#include "engine/recon/coils/coil_mixer.h"

namespace spokelab::gpu {
namespace {

class GpuPluginBackend final : public PluginBackend {
 public:
  GpuPluginBackend(const PluginInfo& info, Backend& gpu) : PluginBackend(info), gpu_(gpu) {}

  AnyNufft makePlan(const NufftProblem& problem, const NufftOptions& options) override {
    gpu_.useOnThisThread();
    return PluginBackend::makePlan(problem, options);
  }
  void warmUp() noexcept override { gpu_.warmUp(); }
  void useOnThisThread() override { gpu_.useOnThisThread(); }
  std::int64_t deviceMemory() const override { return gpu_.deviceMemory(); }
  std::vector<DeviceState> deviceStates() const override { return gpu_.deviceStates(); }
  void synchronize(void* stream) override { gpu_.synchronize(stream); }
  void requireOnDevice(const void* array, const char* what) const override {
    gpu_.requireOnDevice(array, what);
  }
  void copy(const void* from, void* to, std::size_t bytes) override { gpu_.copy(from, to, bytes); }
  MemoryCeiling memoryCeiling(const Progress& progress) const override {
    return gpu_.memoryCeiling(progress);
  }

  AnyGdft makeGdft(Precision precision, const GdftProblem& problem, int threads) override {
    return gpu_.makeGdft(precision, problem, threads);
  }
  void expectEspirit() override { gpu_.expectEspirit(); }
  std::shared_ptr<const BackendMaps> espiritMaps(const EspiritPixels& pixels,
                                                 const Progress& progress) override {
    return gpu_.espiritMaps(pixels, progress);
  }
  std::shared_ptr<const BackendMaps> walshMaps(const WalshPixels& pixels, const Progress& progress) override {
    return gpu_.walshMaps(pixels, progress);
  }
  Buffer<double> pipeMenon(const PipeMenonProblem& problem, const Progress& progress) override {
    return gpu_.pipeMenon(problem, progress);
  }
  std::shared_ptr<CoilMixer> coilMixer() override { return gpu_.coilMixer(); }
  std::unique_ptr<SampleReceiver> sampleReceiver() override { return gpu_.sampleReceiver(); }

  // In double precision the iterations' vectors stay on the host, as the GPU's own do.
  std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) override {
    gpu_.useOnThisThread();
    if (problem.precision == Precision::double64) return senseRunOnHost(*this, problem);
    return senseRunOnDevice(*this, problem);
  }
  std::unique_ptr<SenseRun> findMapsRun(const SenseProblem& problem, NlinvFrame* last) override {
    gpu_.useOnThisThread();
    if (problem.precision == Precision::double64) return Backend::findMapsRun(problem, last);
    return nlinvRunOnDevice(*this, problem, last);
  }
  std::unique_ptr<SenseRun> jointRun(const std::vector<SenseProblem>& frames) override {
    gpu_.useOnThisThread();
    if (frames.front().precision == Precision::double64) return jointRunOnHost(*this, frames);
    return jointRunOnDevice(*this, frames);
  }
  void timePath(const PathRequest& request, Candidate& candidate, const TimingPolicy& policy,
                const Progress& progress) override {
    gpu_.useOnThisThread();
    if (request.problem.precision == Precision::double64)
      return Backend::timePath(request, candidate, policy, progress);
    timePathOnDevice(*this, request, candidate, policy, progress);
  }

 private:
  Backend& gpu_;
};

}  // namespace

std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info, Backend& gpu) {
  return std::make_unique<GpuPluginBackend>(info, gpu);
}

}  // namespace spokelab::gpu
