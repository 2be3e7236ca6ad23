// A backend whose transforms do what a test wants: take their time, ignore the wish to stop, fail.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "engine/core/error.h"
#include "engine/recon/coils/coil_gridder.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

// What tests ask of the transforms, and see of them.
struct FakeWork {
  std::atomic<int> milliseconds{0};
  std::atomic<bool> deaf{false};    // does not look at the stop token, as a call into FFTW
  std::atomic<bool> broken{false};  // throws
  std::atomic<int> started{0}, ended{0};
};

// Its images have the alpha of the plan in each pixel.
class FakePlan final : public Nufft<float>, public CoilGridder<float> {
 public:
  FakePlan(const NufftProblem& problem, const NufftOptions& options, FakeWork& work)
      : problem_(problem), work_(work) {
    info_.backend = "cpu";
    info_.options = options;
    info_.description = "fake plan";
  }
  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return points_; }
  void setPoints(const PlanPoints& points) override {
    points_ = std::int64_t(points.coordinates.size()) / problem_.dims;
  }
  void forward(const cfloat*, cfloat*, const Execution&) override {}
  void adjoint(const cfloat*, cfloat*, const Execution&) override {}
  void setWeights(std::span<const double>) override {}
  void normal(const cfloat*, cfloat*, const Execution&) override {}
  CoilGridder<float>* coilGridder() override { return this; }
  bool setCombination(Combination, int, std::int64_t) override { return true; }
  void setGriddingWeights(std::span<const double>) override {}
  void gridCoils(std::span<const cfloat* const>, const CoilMixer*, cfloat* out,
                 const Progress& progress) override {
    ++work_.started;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(work_.milliseconds);
    while (std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (!work_.deaf) progress.report(0.5, "pretending");
    }
    ++work_.ended;
    if (work_.broken) throw Error("Cannot reconstruct", "the backend is broken", "Take another one");
    std::fill_n(out, problem_.pixels(), cfloat(float(info_.options.alpha)));
  }
  void gridSets(std::span<const cfloat* const>, std::span<cfloat* const>, const Progress&) override {}

 private:
  NufftProblem problem_;
  PlanInfo info_;
  FakeWork& work_;
  std::int64_t points_ = 0;
};

class FakeBackend : public Backend, public FakeWork {
 public:
  std::string name() const override { return "cpu"; }
  std::string badge() const override { return "fake"; }
  std::string fingerprint() const override { return "fake"; }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const override { return {}; }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions&) const override {
    return {};
  }
  std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&, std::int64_t) const override {
    return 0;
  }
  AnyNufft makePlan(const NufftProblem& problem, const NufftOptions& options) override {
    if (problem.precision == Precision::double64) return std::unique_ptr<Nufft<double>>();
    return std::make_unique<FakePlan>(problem, options, *this);
  }
};

}  // namespace spokelab
