#include "cuda/backend.h"

#include <cstring>
#include <exception>

#include "cuda/device/check.h"
#include "cuda/device/device.h"
#include "cuda/device/device_pointer.h"
#include "cuda/device/stream.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/type3/type3.h"
#include "cuda/recon/coils/coil_gridding_plan.h"
#include "cuda/recon/coils/coil_mixer.h"
#include "cuda/recon/coils/espirit_maps.h"
#include "cuda/recon/coils/walsh_maps.h"
#include "cuda/recon/density/pipe_menon.h"
#include "cuda/recon/field/gdft.h"
#include "cuda/recon/sense/solve_sense.h"
#include "cuda/recon/sense/time_path.h"
#include "engine/core/measure/trace_part.h"
#include "engine/core/version.h"
#include "engine/nufft/plan/point_sets.h"
#include "engine/recon/gridding.h"
#include "engine/recon/iterate_scan.h"

namespace spokelab::gpu {
namespace {

class CudaBackend final : public Backend,
                          public Type3Backend,
                          public PointSetBackend,
                          public PipeMenonBackend {
 public:
  explicit CudaBackend(DeviceInfo device) : device_(std::move(device)) {}

  std::string name() const override { return "cuda"; }

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
    return gpu::estimateMemory(device_, problem, options, points);
  }

  MemoryCeiling memoryCeiling(const Progress& progress) const override { return deviceCopyCeiling(progress); }

  std::unique_ptr<Nufft<float>> planFloat(const NufftProblem& problem, const NufftOptions& options) override {
    const TracePart traced("plan made");
    return makeCoilGriddingPlan<float>(device_, withPrecision(problem, Precision::single), options);
  }
  std::unique_ptr<Nufft<double>> planDouble(const NufftProblem& problem,
                                            const NufftOptions& options) override {
    return makeCoilGriddingPlan<double>(device_, withPrecision(problem, Precision::dbl), options);
  }

  std::unique_ptr<Nufft<float>> pointSetsFloat(const NufftProblem& problem, std::int64_t sets,
                                               const NufftOptions& options) override {
    return makeCoilGriddingPlan<float>(device_, withPrecision(problem, Precision::single),
                                       optionsForSets(sets, options), sets);
  }
  std::unique_ptr<Nufft<double>> pointSetsDouble(const NufftProblem& problem, std::int64_t sets,
                                                 const NufftOptions& options) override {
    return makeCoilGriddingPlan<double>(device_, withPrecision(problem, Precision::dbl),
                                        optionsForSets(sets, options), sets);
  }
  std::int64_t setsAtOnce(const NufftOptions&) const override { return 128; }  // a few passes of small frames
  std::int64_t estimatePointSets(const NufftProblem& problem, std::int64_t sets, const NufftOptions& options,
                                 std::int64_t points) const override {
    return gpu::estimateMemory(device_, problem, optionsForSets(sets, options), points, sets);
  }

  std::unique_ptr<Type3Transform<float>> type3Float(const Type3Problem& problem,
                                                    const NufftOptions& options) override {
    return makeCudaType3<float>(device_, withPrecision(problem, Precision::single), options);
  }
  std::unique_ptr<Type3Transform<double>> type3Double(const Type3Problem& problem,
                                                      const NufftOptions& options) override {
    return makeCudaType3<double>(device_, withPrecision(problem, Precision::dbl), options);
  }

  Reconstruction reconstruct(const Scan& scan, const ReconOptions& options, const Candidate* plan,
                             Wisdom* wisdom, const Progress& progress) override {
    if (options.iterative.method != ReconMethod::gridding)
      return iterateScan(*this, scan, options, plan, progress);
    return gridScan(*this, scan, options, plan, wisdom, progress);
  }

  void synchronize(void* stream) override {
    if (stream) return gpu::synchronize(static_cast<cudaStream_t>(stream));
    check(cudaDeviceSynchronize(), "waiting for the GPU");
  }
  void requireOnDevice(const void* array, const char* what) const override {
    requireDevicePointer(array, what);
  }
  void copy(const void* from, void* to, std::size_t bytes) override {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying arrays");
  }

  bool gdftRepeats(Precision precision) const override { return precision == Precision::dbl; }
  std::unique_ptr<SampleTransform<float>> gdftFloat(const GdftProblem& problem, int) override {
    return makeCudaGdft<float>(problem);
  }
  std::unique_ptr<SampleTransform<double>> gdftDouble(const GdftProblem& problem, int) override {
    return makeCudaGdft<double>(problem);
  }
  std::shared_ptr<const BackendMaps> espiritMaps(const EspiritPixels& pixels,
                                                 const Progress& progress) override {
    return espiritMapsOnDevice(tools_, pixels, progress);
  }
  std::shared_ptr<const BackendMaps> walshMaps(const WalshPixels& pixels, const Progress& progress) override {
    return walshMapsOnDevice(pixels, progress);
  }
  Buffer<double> pipeMenon(const PipeMenonProblem& problem, const Progress& progress) override {
    return pipeMenonOnDevice(device_, problem, progress);
  }
  std::shared_ptr<CoilMixer> coilMixer() override { return makeCoilMixer(tools_); }
  // In double precision the iterations' vectors stay on the host, the transforms run on the device.
  std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) override {
    if (problem.precision == Precision::dbl) return senseRunOnHost(*this, problem);
    return senseRunOnDevice(*this, problem);
  }
  void timePath(const PathRequest& request, Candidate& candidate, const TimingPolicy& policy,
                const Progress& progress) override {
    if (request.problem.precision == Precision::dbl)
      return timePathOnHost(*this, request, candidate, policy, progress);
    timePathOnDevice(*this, request, candidate, policy, progress);
  }

 private:
  template <class Problem>
  static Problem withPrecision(Problem problem, Precision precision) {
    problem.precision = precision;
    return problem;
  }
  DeviceInfo device_;
  CalibrationTools tools_;
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
    return new spokelab::gpu::CudaBackend(std::move(*device));
  } catch (const std::exception& e) {
    spokelab::gpu::tell(e.what(), reason, reasonSize);
    return nullptr;
  }
}

extern "C" __attribute__((visibility("default"))) void spokelabCudaShareBuffers(
    void* (*allocate)(std::size_t), void (*release)(void*, std::size_t) noexcept) {
  using Allocate = void* (*)(std::size_t);
  using Release = void (*)(void*, std::size_t) noexcept;
  if (allocate == &spokelab::allocateBuffer) return;  // one engine
  static Allocate callersAllocate = nullptr;
  static Release callersRelease = nullptr;
  callersAllocate = allocate;
  callersRelease = release;
  spokelab::setBufferMemory({[](std::size_t bytes, std::size_t, void*) { return callersAllocate(bytes); },
                             [](void* memory, std::size_t bytes, void*) { callersRelease(memory, bytes); },
                             nullptr});
}
