// A backend: one kind of machine, and the parts of a reconstruction that it has. The loop over a
// job's unknowns (run/run_job.h) asks for them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/device_state.h"
#include "engine/core/progress.h"
#include "engine/nufft/type3/type3_transform.h"
#include "engine/recon/coils/sample_receiver.h"
#include "engine/recon/options/options.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

struct NlinvFrame;

inline constexpr const char* firstDevice = "0";  // where the options name no other

class Backend : public TransformBackend {
 public:
  // Binds the calling thread to this device; call it before the thread's first call of a part.
  virtual void useOnThisThread() {}

  Backend& device(int /*number*/) override { return *this; }
  virtual int deviceNumber() const { return 0; }
  // All bytes of this device; 0: it is not a device.
  virtual std::int64_t deviceMemory() const { return 0; }
  // The present state of all devices, without starting any. Takes tens of milliseconds.
  virtual std::vector<DeviceState> deviceStates() const { return {}; }

  // Waits until the work of a caller's stream on a GPU (cudaStream_t; null: all work) is done;
  // throws Error where it failed.
  virtual void synchronize(void* /*stream*/) {}
  // Throws Error unless the array (`what` in words) is in the memory of this backend's device.
  virtual void requireOnDevice(const void* array, const char* what) const;
  // Copies bytes between host memory and the memory of this backend's device, either way; returns
  // when done.
  virtual void copy(const void* from, void* to, std::size_t bytes);

  // Transforms of type 3, in its problem's precision, where hasType3(). Options used: accuracy,
  // alpha and width (0: chosen by predicted work; otherwise for both steps), axis-alpha, kernel,
  // precomputation, threads, memory limit. Throws Error if they are out of range.
  virtual AnyType3 type3(const Type3Problem&, const NufftOptions&) { return {}; }
  virtual bool hasType3() const { return false; }
  // Takes samples into this backend's memory while others are read; null: it does not.
  virtual std::unique_ptr<SampleReceiver> sampleReceiver() { return nullptr; }

  // Iterative SENSE and pcSENSE of several sets of samples, one after the other, with all vectors
  // in this backend's memory.
  virtual std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) {
    return senseRunOnHost(*this, problem);
  }
  // The run that finds image and coil maps of one frame after the other (unknowns/nlinv.h). last:
  // start values for the first frame, and the run's last frame once the run is destroyed; null:
  // neither.
  virtual std::unique_ptr<SenseRun> findMapsRun(const SenseProblem& problem, NlinvFrame* last);
  // The run that solves several frames together (jointRunOnHost).
  virtual std::unique_ptr<SenseRun> jointRun(const std::vector<SenseProblem>& frames) {
    return jointRunOnHost(*this, frames);
  }
  // The run of one problem whose coils are divided over ranks (rankSenseRunOnHost).
  virtual std::unique_ptr<SenseRun> rankSenseRun(Ranks& ranks, const SenseProblem& problem,
                                                 const std::vector<int>& share) {
    return rankSenseRunOnHost(ranks, *this, problem, share);
  }
  // One run of senseRun(), for one set of samples.
  SenseSolution solveSense(const SenseProblem& problem, const IterationOptions& options,
                           const IterationWatcher& watcher, const Progress& progress) {
    return senseRun(problem)->run(options, watcher, false, progress);
  }
};

// Why a backend of this name cannot be used by this process: backendsFor says it where that
// kind is asked for.
void noteUnusableBackend(const std::string& name, const std::string& why);

// The ones of `backends` that `asked` ("auto": all) names, each on the first of the devices that
// `devices` names. Throws Error where none is found.
std::vector<Backend*> backendsFor(const std::vector<Backend*>& backends, const std::string& asked,
                                  const std::string& devices = firstDevice);

// The backend's devices that a list names ("0,2", "all"); a backend without devices returns itself.
// Throws Error.
std::vector<Backend*> devicesOf(Backend& backend, const std::string& devices);

// "GPU 1 (NVIDIA H100, 80 GB)"
std::vector<std::string> namesOfDevices(const std::vector<Backend*>& devices);

// The backend of that name, or null.
Backend* backendNamed(std::span<Backend* const> backends, const std::string& name);

}  // namespace spokelab
