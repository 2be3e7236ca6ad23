#include "cuda/backend.h"

#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/device/check.h"
#include "cuda/device/device.h"
#include "cuda/device/device_pointer.h"
#include "cuda/device/device_scope.h"
#include "cuda/device/fft_plan.h"
#include "cuda/device/libraries/management.h"
#include "cuda/device/measure/span_ranges.h"
#include "cuda/device/stream.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/plan/grid_fft_rounds.h"
#include "cuda/nufft/plugin/plugin_nufft.h"
#include "cuda/nufft/type3/type3.h"
#include "cuda/recon/coils/coil_gridding_plan.h"
#include "cuda/recon/coils/coil_mixer.h"
#include "cuda/recon/coils/espirit_maps.h"
#include "cuda/recon/coils/followed_samples.h"
#include "cuda/recon/coils/walsh_maps.h"
#include "cuda/recon/density/pipe_menon.h"
#include "cuda/recon/field/gdft.h"
#include "cuda/recon/plugin/plugin_backend.h"
#include "cuda/recon/sense/nlinv.h"
#include "cuda/recon/sense/solve_sense.h"
#include "cuda/recon/sense/time_path.h"
#include "engine/core/measure/spans.h"
#include "engine/core/memory/memory_ceiling.h"
#include "engine/core/version.h"

namespace spokelab::gpu {
namespace {

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(DeviceInfo device) : device_(std::move(device)) {}
  // One of the devices of `first`.
  CudaBackend(DeviceInfo device, CudaBackend& first) : device_(std::move(device)), first_(&first) {}

  int deviceCount() const override { return gpu::deviceCount(); }
  int deviceNumber() const override { return device_.index; }
  Backend& device(int number) override {
    if (first_) return first_->device(number);
    if (number == device_.index) return *this;
    const std::lock_guard lock(starting_);
    std::unique_ptr<CudaBackend>& other = others_[number];
    if (!other) {
      // findDevice() makes the other device current; the scope makes this one current again.
      const DeviceScope before(device_.index);
      std::string why;
      auto found = findDevice(why, number);
      if (!found)
        throw Error("Cannot use GPU " + std::to_string(number), why,
                    "Name other GPUs (devices), or leave the option out");
      other = std::make_unique<CudaBackend>(std::move(*found), *this);
    }
    return *other;
  }
  std::int64_t deviceMemory() const override { return device_.memory; }
  std::vector<DeviceState> deviceStates() const override { return managedDevices(); }

  std::string name() const override { return gpuBackend; }

  std::string badge() const override {
    constexpr std::int64_t giga = std::int64_t(1) << 30;
    return device_.name + ", " + std::to_string((device_.memory + giga / 2) / giga) + " GB, driver " +
           device_.driver;
  }

  std::string fingerprint() const override {
    return device_.name + "; driver " + device_.driver + "; " + device_.libraries + "; spokelab " + version();
  }

  std::vector<Method> spreadMethods(const NufftProblem& problem, const NufftOptions& options) const override {
    return rankedMethods(device_, problem, options, true);
  }
  std::vector<Method> interpolateMethods(const NufftProblem& problem,
                                         const NufftOptions& options) const override {
    return rankedMethods(device_, problem, options, false);
  }
  std::vector<Method> allSpreadMethods(const NufftProblem& problem,
                                       const NufftOptions& options) const override {
    return rankedMethods(device_, problem, options, true, true);
  }
  std::vector<Method> allInterpolateMethods(const NufftProblem& problem,
                                            const NufftOptions& options) const override {
    return rankedMethods(device_, problem, options, false, true);
  }
  std::int64_t estimateMemory(const NufftProblem& problem, const NufftOptions& options,
                              std::int64_t points) const override {
    useThis();
    return gpu::estimateMemory(device_, problem, optionsForSets(problem, options), points);
  }

  MemoryCeiling memoryCeiling(const Progress& progress) const override {
    useThis();
    return deviceCopyCeiling(progress);
  }

  GridFftRounds gridFftRounds(int side, int pixels, int rounds, const Progress& progress) override {
    useThis();
    return gpu::gridFftRounds(device_, side, pixels, rounds, progress);
  }

  AnyNufft makePlan(const NufftProblem& problem, const NufftOptions& options) override {
    useThis();
    const Span traced("plan made");
    const NufftOptions settled = optionsForSets(problem, options);
    if (problem.precision == Precision::single) return makeCoilGriddingPlan<float>(device_, problem, settled);
    return makeCoilGriddingPlan<double>(device_, problem, settled);
  }

  // Most of what the first plan takes is cuFFT's own start.
  void warmUp() noexcept override {
    try {
      useThis();
      std::call_once(warm_, [] { FftPlan(1, {16, 1, 1}, 1, false); });
    } catch (const std::exception&) {
      return;
    }
  }

  std::int64_t setsAtOnce(const NufftOptions&) const override { return 128; }  // a few passes of small frames
  bool hasType3() const override { return true; }
  AnyType3 type3(const Type3Problem& problem, const NufftOptions& options) override {
    useThis();
    if (problem.precision == Precision::single) return makeCudaType3<float>(device_, problem, options);
    return makeCudaType3<double>(device_, problem, options);
  }

  void useOnThisThread() override { useThis(); }

  void synchronize(void* stream) override {
    useThis();
    if (stream) return gpu::synchronize(static_cast<cudaStream_t>(stream));
    check(cudaDeviceSynchronize(), "waiting for the GPU");
  }
  void requireOnDevice(const void* array, const char* what) const override {
    useThis();
    requireDevicePointer(array, what);
  }
  void copy(const void* from, void* to, std::size_t bytes) override {
    useThis();
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying arrays");
  }

  AnyGdft makeGdft(Precision precision, const GdftProblem& problem, int) override {
    useThis();
    if (precision == Precision::single) return makeCudaGdft<float>(problem);
    return makeCudaGdft<double>(problem);
  }
  void expectEspirit() override { tools_.loadAhead(device_.index); }
  std::shared_ptr<const BackendMaps> espiritMaps(const EspiritPixels& pixels,
                                                 const Progress& progress) override {
    useThis();
    return espiritMapsOnDevice(tools_, collective_, pixels, progress);
  }
  std::shared_ptr<const BackendMaps> walshMaps(const WalshPixels& pixels, const Progress& progress) override {
    useThis();
    return walshMapsOnDevice(pixels, progress);
  }
  Buffer<double> pipeMenon(const PipeMenonProblem& problem, const Progress& progress) override {
    useThis();
    return pipeMenonOnDevice(device_, problem, progress);
  }
  std::shared_ptr<CoilMixer> coilMixer() override {
    useThis();
    return makeCoilMixer(tools_, followed_);
  }
  std::unique_ptr<SampleReceiver> sampleReceiver() override {
    useThis();
    return makeSampleReceiver(followed_);
  }
  // In double precision the iterations' vectors stay on the host, the transforms run on the device.
  std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) override {
    useThis();
    if (problem.precision == Precision::double64) return senseRunOnHost(*this, problem);
    return senseRunOnDevice(*this, problem);
  }
  std::unique_ptr<SenseRun> findMapsRun(const SenseProblem& problem, NlinvFrame* last) override {
    useThis();
    if (problem.precision == Precision::double64) return nlinvRun(*this, problem, nullptr, last);
    return nlinvRunOnDevice(*this, problem, last);
  }
  std::unique_ptr<SenseRun> jointRun(const std::vector<SenseProblem>& frames) override {
    useThis();
    if (frames.front().precision == Precision::double64) return jointRunOnHost(*this, frames);
    return jointRunOnDevice(*this, frames);
  }
  std::unique_ptr<SenseRun> rankSenseRun(Ranks& ranks, const SenseProblem& problem,
                                         const std::vector<int>& share) override {
    useThis();
    if (problem.precision == Precision::double64) return rankSenseRunOnHost(ranks, *this, problem, share);
    return rankSenseRunOnDevice(*this, ranks, problem, share, collective_);
  }
  void timePath(const PathRequest& request, Candidate& candidate, const TimingPolicy& policy,
                const Progress& progress) override {
    useThis();
    if (request.problem.precision == Precision::double64)
      return timePathOnHost(*this, request, candidate, policy, progress);
    timePathOnDevice(*this, request, candidate, policy, progress);
  }

 private:
  // Makes this device the thread's current device.
  void useThis() const { useDevice(device_.index); }

  DeviceInfo device_;
  CalibrationTools tools_;
  FollowedSamples followed_;
  CollectiveKeeper collective_;
  CudaBackend* const first_ = nullptr;  // null: this one
  std::once_flag warm_;
  std::mutex starting_;
  std::map<int, std::unique_ptr<CudaBackend>> others_;  // of the first device, by their numbers
};

void tell(const std::string& text, char* reason, std::size_t size) {
  if (!reason || size == 0) return;
  const std::size_t length = std::min(text.size(), size - 1);
  std::memcpy(reason, text.data(), length);
  reason[length] = '\0';
}

}  // namespace
}  // namespace spokelab::gpu

extern "C" __attribute__((visibility("default"))) spokelab::Backend* spokelabCudaBackend(
    char* reason, std::size_t reasonSize) {
  try {
    std::string why;
    auto device = spokelab::gpu::findDevice(why);
    spokelab::gpu::tell(why, reason, reasonSize);
    if (!device) return nullptr;
    spokelab::gpu::showSpansToProfilers();
    return new spokelab::gpu::CudaBackend(std::move(*device));
  } catch (const std::exception& e) {
    spokelab::gpu::tell(e.what(), reason, reasonSize);
    return nullptr;
  }
}

extern "C" __attribute__((visibility("default"))) void spokelabCudaPluginNufft(
    const spokelab::GpuPluginRequest& request, spokelab::AnyNufft& made) {
  made = spokelab::gpu::makePluginNufft(request);
}

extern "C" __attribute__((visibility("default"))) spokelab::Backend* spokelabCudaPluginBackend(
    const spokelab::PluginInfo& info, spokelab::Backend& gpu) {
  return spokelab::gpu::makePluginBackend(info, gpu).release();
}

extern "C" __attribute__((visibility("default"))) void spokelabCudaShareEngine(
    void* (*allocate)(std::size_t), void (*release)(void*, std::size_t) noexcept,
    spokelab::SpanThread* (*spans)() noexcept) {
  using Allocate = void* (*)(std::size_t);
  using Release = void (*)(void*, std::size_t) noexcept;
  if (allocate == &spokelab::allocateBuffer) return;  // one engine
  spokelab::shareSpans(spans);
  static Allocate callersAllocate = nullptr;
  static Release callersRelease = nullptr;
  callersAllocate = allocate;
  callersRelease = release;
  spokelab::setBufferMemory({[](std::size_t bytes, std::size_t, void*) { return callersAllocate(bytes); },
                             [](void* memory, std::size_t bytes, void*) { callersRelease(memory, bytes); },
                             nullptr});
}
