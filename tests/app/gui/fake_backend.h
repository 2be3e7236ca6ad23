// A backend whose reconstructions do what a test wants: take their time, ignore the wish to stop,
// fail.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "engine/recon/backend.h"

namespace spokelab {

class FakeBackend : public Backend {
 public:
  std::atomic<int> milliseconds{0};
  std::atomic<bool> deaf{false};    // does not look at the stop token, as a call into FFTW
  std::atomic<bool> broken{false};  // throws
  std::atomic<int> started{0}, ended{0};

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
  std::unique_ptr<Nufft<float>> planFloat(const NufftProblem&, const NufftOptions&) override {
    return nullptr;
  }
  std::unique_ptr<Nufft<double>> planDouble(const NufftProblem&, const NufftOptions&) override {
    return nullptr;
  }

  Reconstruction reconstruct(const Scan& scan, const ReconOptions& options, const Candidate* plan, Wisdom*,
                             const Progress& progress) override {
    ++started;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (!deaf) progress.report(0.5, "pretending");
    }
    ++ended;
    if (broken) throw Error("Cannot reconstruct", "the backend is broken", "Take another one");
    Reconstruction result;
    auto image = std::make_shared<Image>();
    image->size = scan.geometry.matrix;
    image->geometry = scan.geometry;
    image->data.assign(std::size_t(image->volume()), cfloat(plan ? float(plan->options.alpha) : 1.0F, 0));
    result.image = image;
    result.options = options;
    result.plan.backend = name();
    result.plan.options = plan ? plan->options : options.nufft;
    result.plan.description = "fake plan";
    return result;
  }
};

}  // namespace spokelab
