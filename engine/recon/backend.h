// A backend reconstructs: Scan -> Image in one call, on one kind of machine.
#pragma once

#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/reconstruction.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

class Wisdom;

class Backend : public TransformBackend {
 public:
  // Density compensation, tuned plan, gridding (or nudft), coil combination, frames and slices.
  // The plan is `plan` if given (a tuner's choice), else found by `tune` over this backend alone.
  virtual Reconstruction reconstruct(const Scan& scan, const ReconOptions& options, const Candidate* plan,
                                     Wisdom* wisdom, const Progress& progress) = 0;

  // Of a GPU: returns when the work of a caller's stream (cudaStream_t; null: all work) is done; throws
  // Error where it failed.
  virtual void synchronize(void* /*stream*/) {}
  // Throws Error unless the array (`what` in words) lies in the memory of this backend's device.
  virtual void requireOnDevice(const void* array, const char* what) const;
  // Copies bytes between host memory and that of this backend's device, either way; returns when done.
  virtual void copy(const void* from, void* to, std::size_t bytes);

  // Iterative SENSE and pcSENSE of several sets of samples, one after the other, with all vectors in
  // this backend's memory.
  virtual std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) {
    return senseRunOnHost(*this, problem);
  }
  // The same of one set.
  SenseSolution solveSense(const SenseProblem& problem, const IterationOptions& options,
                           const IterationWatcher& watcher, const Progress& progress) {
    return senseRun(problem)->run(options, watcher, false, progress);
  }
};

// Those of `backends` that `asked` ("auto": all) names. Throws Error where there is none.
std::vector<Backend*> backendsFor(const std::vector<Backend*>& backends, const std::string& asked);

// The one of that name; null where there is none.
Backend* backendNamed(const std::vector<Backend*>& backends, const std::string& name);

}  // namespace spokelab
