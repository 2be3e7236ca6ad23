#include "cuda/recon/coils/coil_gridding_plan.h"

#include <algorithm>

#include "cuda/nufft/plan/plan.h"
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

  void setGriddingWeights(std::span<const double> weights) override {
    requireWeights(std::int64_t(weights.size()), Plan::points());
    combiner_.setWeights(weights, Plan::waitForLastCall());
  }

  void gridCoils(std::span<const Host* const> coils, Host* out, StageTimings& timings,
                 const Progress& progress) override {
    Plan::requirePoints();
    requireWeights(combiner_.weightCount(), Plan::points());
    const std::int64_t pixels = Plan::problem().pixels();
    const Pass pass = Plan::passes().front();
    Value* const samples = Plan::passSamples();
    Value* const images = Plan::passImages();
    typename Plan::Scope scope(*this, "grid coils", &timings, nullptr);
    combiner_.begin(pixels, scope.stream);
    for (std::size_t c = 0; c < coils.size(); c += std::size_t(pass.images())) {
      progress.report(double(c) / double(coils.size()),
                      coils.size() > 1 ? "Reconstructing coils" : "Reconstructing");
      const auto part = coils.subspan(c, std::min(std::size_t(pass.images()), coils.size() - c));
      combiner_.load(part, samples, pass.images(), scope.clock, scope.stream);
      Plan::toImages(samples, images, pass, scope);
      if (coils.size() > 1) combiner_.add(images, std::int64_t(part.size()), scope.stream);
      scope.clock.mark(Stage::multiply,
                       double(pixels) * (double(part.size()) * sizeof(Value) + 2 * sizeof(Real)));
    }
    if (coils.size() > 1)
      combiner_.finish(out, scope.stream);
    else
      combiner_.keep(images, out, scope.stream);
    scope.clock.mark(Stage::transfer, double(pixels) * sizeof(Value));
    scope.end();
    Plan::finishOnHost(scope.stream);
    Plan::updateMemoryInfo();
  }

  void gridSets(std::span<const Host* const> values, std::span<Host* const> out, StageTimings& timings,
                const Progress& progress) override {
    Plan::requirePoints();
    requireWeights(combiner_.weightCount(), Plan::points());
    const std::int64_t pixels = Plan::problem().pixels(), coils = Plan::problem().batch;
    Value* const samples = Plan::passSamples();
    Value* const images = Plan::passImages();
    typename Plan::Scope scope(*this, "grid sets", &timings, nullptr);
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
      combiner_.combineSets(images, pixels, pass, to, scope.clock, scope.stream);
    }
    scope.end();
    Plan::finishOnHost(scope.stream);
    Plan::updateMemoryInfo();
  }

 private:
  std::int64_t memory() const override { return Plan::memory() + combiner_.memory(); }

  CoilCombiner<Real> combiner_;
};

}  // namespace

template <class Real>
std::unique_ptr<Nufft<Real>> makeCoilGriddingPlan(const DeviceInfo& device, const NufftProblem& problem,
                                                  const NufftOptions& options, std::int64_t sets) {
  return std::make_unique<CoilGriddingPlan<Real>>(device, problem, options, sets);
}

template std::unique_ptr<Nufft<float>> makeCoilGriddingPlan(const DeviceInfo&, const NufftProblem&,
                                                            const NufftOptions&, std::int64_t);
template std::unique_ptr<Nufft<double>> makeCoilGriddingPlan(const DeviceInfo&, const NufftProblem&,
                                                             const NufftOptions&, std::int64_t);

}  // namespace spokelab::gpu
