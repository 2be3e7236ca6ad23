#include "cuda/recon/coils/coil_gridding_plan.h"

#include <algorithm>
#include <type_traits>

#include "cuda/nufft/plan/plan.h"
#include "cuda/recon/coils/adaptive_combiner.h"
#include "cuda/recon/coils/coil_combiner.h"
#include "engine/recon/coils/coil_gridder.h"

namespace spokelab::gpu {
namespace {

template <class Real>
class CoilGriddingPlan final : public CudaNufft<Real>, public CoilGridder<Real> {
  using Plan = CudaNufft<Real>;
  using Host = std::complex<Real>;
  using Value = typename Plan::Value;

 public:
  using Plan::Plan;

  CoilGridder<Real>* coilGridder() override { return this; }
  bool setCombination(Combination combination, int block, std::int64_t coils) override {
    const bool adaptive = combination == Combination::adaptive && coils > 1;
    if (combination == Combination::none || (adaptive && !combinesAdaptively(coils))) return false;
    if (adaptive) adaptive_.prepare(Plan::problem().size, int(coils), block);
    isAdaptive_ = adaptive;
    return true;
  }

  void setGriddingWeights(std::span<const double> weights) override {
    requireWeights(std::int64_t(weights.size()), Plan::points());
    combiner_.setWeights(weights, Plan::waitForLastCall());
  }

  void gridCoils(std::span<const Host* const> coils, const CoilMixer* mixer, Host* out,
                 const Progress& progress) override {
    Plan::requirePoints();
    requireWeights(combiner_.weightCount(), Plan::points());
    const std::int64_t pixels = Plan::problem().pixels();
    const Pass pass = Plan::passes().front();
    Value* const samples = Plan::passSamples();
    Value* const images = Plan::passImages();
    typename Plan::Scope scope(*this, "grid coils", nullptr);
    const bool several = coils.size() > 1, sums = several && !isAdaptive_;
    combiner_.begin(pixels, scope.stream);
    for (std::size_t c = 0; c < coils.size(); c += std::size_t(pass.images())) {
      progress.report(double(c) / double(coils.size()), several ? "Reconstructing coils" : "Reconstructing");
      const auto part = coils.subspan(c, std::min(std::size_t(pass.images()), coils.size() - c));
      combiner_.load(part, mixer, samples, pass.images(), scope.clock, scope.stream);
      Plan::toImages(samples, images, pass, scope);
      if (sums) combiner_.add(images, std::int64_t(part.size()), scope.stream);
      if (several && isAdaptive_) addAdaptively(images, std::int64_t(c), std::int64_t(part.size()), scope);
      scope.clock.mark(Stage::multiply,
                       double(pixels) * (double(part.size()) * sizeof(Value) + 2 * sizeof(Real)));
    }
    if (sums)
      combiner_.finish(out, scope.stream);
    else
      combiner_.keep(several ? finishAdaptively(pixels, scope) : images, out, scope.stream);
    scope.clock.mark(Stage::transfer, double(pixels) * sizeof(Value));
    scope.end();
    Plan::finishOnHost(scope.stream);
    Plan::updateMemoryInfo();
  }

  void gridSets(std::span<const Host* const> values, std::span<Host* const> out,
                const Progress& progress) override {
    Plan::requirePoints();
    requireWeights(combiner_.weightCount(), Plan::points());
    const std::int64_t pixels = Plan::problem().pixels(), coils = Plan::problem().batch;
    Value* const samples = Plan::passSamples();
    Value* const images = Plan::passImages();
    typename Plan::Scope scope(*this, "grid sets", nullptr);
    for (const Pass& pass : Plan::passes()) {
      progress.report(double(pass.sets.first) / double(Plan::sets()), "Reconstructing frames");
      std::vector<HostPart<const Host>> from;
      std::vector<HostPart<Host>> to;
      for (std::int64_t s = pass.sets.first; s < pass.sets.first + pass.sets.count; ++s) {
        for (std::int64_t c = 0; c < coils; ++c)
          join<const Host>(from, values[std::size_t(s * coils + c)], Plan::pointsOfSet(s));
        join<Host>(to, out[std::size_t(s)], pixels);
      }
      combiner_.loadSets(from, samples, Plan::setView(), pass, scope.clock, scope.stream);
      Plan::toImages(samples, images, pass, scope);
      if (isAdaptive_ && coils > 1)
        combineSetsAdaptively(images, pass, out, scope);
      else
        combiner_.combineSets(images, pixels, pass, to, scope.clock, scope.stream);
    }
    scope.end();
    Plan::finishOnHost(scope.stream);
    Plan::updateMemoryInfo();
  }

 private:
  using Scope = typename Plan::Scope;

  std::int64_t memory() const override { return Plan::memory() + combiner_.memory() + adaptive_.memory(); }

  // True if the GPU combines the coils. The host does it in double precision, and if the images of
  // all coils would not fit.
  bool combinesAdaptively(std::int64_t coils) const {
    constexpr double maxMemoryShare = 0.5;  // of what is free: points and samples are to come
    if (!std::is_same_v<Real, float> || !AdaptiveCombiner::takes(coils)) return false;
    const std::int64_t needed = AdaptiveCombiner::estimate(coils, Plan::problem().pixels()),
                       limit = Plan::info().options.memoryLimit;
    if (limit > 0 && memory() + needed > limit) return false;
    return double(needed) < maxMemoryShare * double(freeMemory());
  }

  // Images of the coils from `first` on.
  void addAdaptively(const Value* images, std::int64_t first, std::int64_t count, Scope& scope) {
    if constexpr (std::is_same_v<Real, float>) adaptive_.add(images, first, count, scope.stream);
  }
  // The combined image, on the device.
  Value* finishAdaptively(std::int64_t pixels, Scope& scope) {
    Value* const result = combiner_.result(pixels);
    if constexpr (std::is_same_v<Real, float>) adaptive_.finish(result, scope.stream);
    scope.clock.mark(Stage::multiply, double(pixels) * double(Plan::problem().batch + 1) * sizeof(Value));
    return result;
  }

  // images [set][coil] of a pass.
  void combineSetsAdaptively(const Value* images, const Pass& pass, std::span<Host* const> out,
                             Scope& scope) {
    const std::int64_t pixels = Plan::problem().pixels(), coils = pass.imagesOfSet;
    for (std::int64_t s = 0; s < pass.sets.count; ++s) {
      addAdaptively(images + s * coils * pixels, 0, coils, scope);
      combiner_.keep(finishAdaptively(pixels, scope), out[std::size_t(pass.sets.first + s)], scope.stream);
      scope.clock.mark(Stage::transfer, double(pixels) * sizeof(Value));
    }
  }

  CoilCombiner<Real> combiner_;
  AdaptiveCombiner adaptive_;
  bool isAdaptive_ = false;
};

}  // namespace

template <class Real>
std::unique_ptr<Nufft<Real>> makeCoilGriddingPlan(const DeviceInfo& device, const NufftProblem& problem,
                                                  const NufftOptions& options) {
  return std::make_unique<CoilGriddingPlan<Real>>(device, problem, options);
}

template std::unique_ptr<Nufft<float>> makeCoilGriddingPlan(const DeviceInfo&, const NufftProblem&,
                                                            const NufftOptions&);
template std::unique_ptr<Nufft<double>> makeCoilGriddingPlan(const DeviceInfo&, const NufftProblem&,
                                                             const NufftOptions&);

}  // namespace spokelab::gpu
