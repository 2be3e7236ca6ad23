// A backend reconstructs: Scan -> Image in one call, on one kind of machine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/reconstruction.h"
#include "engine/recon/sense/iterative.h"
#include "engine/scan/scan.h"

namespace spokelab {

class Wisdom;

class Backend : public NufftBackend {
 public:
  // Density compensation, tuned plan, gridding (or nudft), coil combination, frames and slices.
  // The plan is `plan` if given (a tuner's choice), else found by `tune` over this backend alone.
  virtual Reconstruction reconstruct(const Scan& scan, const ReconOptions& options, const Candidate* plan,
                                     Wisdom* wisdom, const Progress& progress) = 0;

  // The exact field-corrected transform, on this backend's memory (GPU: device or host pointers).
  template <class Real>
  std::unique_ptr<SampleTransform<Real>> gdft(const GdftProblem& problem, int threads = 0) {
    if constexpr (std::is_same_v<Real, float>)
      return gdftFloat(problem, threads);
    else
      return gdftDouble(problem, threads);
  }
  virtual std::unique_ptr<SampleTransform<float>> gdftFloat(const GdftProblem& problem, int threads) {
    return makeCpuGdft<float>(problem, threads);
  }
  virtual std::unique_ptr<SampleTransform<double>> gdftDouble(const GdftProblem& problem, int threads) {
    return makeCpuGdft<double>(problem, threads);
  }
  // Iterative SENSE and pcSENSE with all vectors in this backend's memory.
  virtual SenseSolution solveSense(const SenseProblem& problem, const IterationOptions& options,
                                   const IterationWatcher& watcher, const Progress& progress) {
    return solveSenseOnHost(*this, problem, options, watcher, progress);
  }
};

std::unique_ptr<Backend> makeCpuBackend();

// The road that window and command line share: picks the backends for options.backend, tunes across them, and
// reconstructs on the winner. `seen` receives each candidate as it is timed.
Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                           const std::function<void(const Candidate&)>& seen = {});

// The transform that a scan needs (first frame): problem, points in cycles per pixel.
struct ScanProblem {
  NufftProblem problem;
  std::vector<double> points;
};
ScanProblem scanProblem(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
