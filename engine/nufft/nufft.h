// A plan for non-uniform FFTs: made once, given points, executed many times. CPU and GPU plans look
// the same.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/kernel/predicted_error.h"
#include "engine/nufft/problem/backend_kind.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/plan_points.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

struct MemoryCeiling;
struct PipeMenonProblem;
class TriedPlugin;
template <class Real>
class CoilGridder;

// The choices of a plan, its size, and where it is.
struct PlanInfo {
  std::string backend;   // its name
  NufftOptions options;  // resolved: nothing is automatic
  Index3 grid{1, 1, 1};  // oversampled grid
  double beta = 0;
  int polynomialDegree = 0;
  PredictedError error;
  std::int64_t memory = 0;  // bytes held by the plan, points included once they are set
  std::string description;  // one line: "cpu blocked, 2 threads, AVX-512, bins 16x16x8"
  // The plan's memory is a device's: points and arrays may be there, and the plan has deviceRuns().
  bool onDevice = false;
};

// Executions with arrays on the device, by the device's clock. The other costs of a call with host
// arrays (page faults, copies between buffers, launches, waiting) can be several times the
// execution.
struct DeviceRuns {
  StageTimings stages;          // of a run by itself
  std::vector<double> seconds;  // of each of the runs that follow each other
};

// Seconds of transforms of one cubic grid in single precision, one a round: of the whole grid, of
// eight with half its side, and of a plan's passes between image and grid, which skip the zeros.
struct GridFftRounds {
  std::vector<double> whole, eight, toGrid, toImage;
  std::string library;  // of the first two: "cuFFT"
};

// The memory of a call's arrays, and its stream.
struct Execution {
  // GPU plans: image and samples are device memory. The call then returns before the work is done,
  // unless somebody listens to its stages (StageRecorder).
  bool devicePointers = false;
  void* stream = nullptr;  // GPU plans: cudaStream_t of the caller; null: the plan's own
};

template <class Real>
class Nufft {
 public:
  using Complex = std::complex<Real>;
  virtual ~Nufft() = default;

  virtual const NufftProblem& problem() const = 0;
  virtual const PlanInfo& info() const = 0;
  virtual std::int64_t points() const = 0;

  // May be called again with new points. Throws Error for a coordinate that is not finite. With
  // points on a device, waits where somebody listens to its stages, and until it is known whether
  // points crowd (cuda/nufft/spread/crowd.h), with the sorts queued behind; a coordinate that is
  // not finite is otherwise reported by the next call that waits. A plan of several sets keeps the
  // sets that it has where it throws.
  virtual void setPoints(const PlanPoints& points) = 0;

  // image [batch, z, y, x] -> samples [batch, M]
  virtual void forward(const Complex* image, Complex* samples, const Execution& = {}) = 0;
  // samples [batch, M] -> image [batch, z, y, x]
  virtual void adjoint(const Complex* samples, Complex* image, const Execution& = {}) = 0;

  // normal: adjoint(weights * forward(in)); weights [M], set once, empty: ones. in == out is
  // allowed.
  virtual void setWeights(std::span<const double> weights) = 0;
  virtual void normal(const Complex* in, Complex* out, const Execution& = {}) = 0;

  // As setWeights() of weights[j] / divisor, divided and rounded on the device that such an
  // execution reads its arrays from. Returns the weights' address there, valid until others are
  // set. Returns null and does nothing where the arrays are in host memory.
  virtual const Real* placeWeights(std::span<const double> /*weights*/, double /*divisor*/,
                                   const Execution&) {
    return nullptr;
  }
  // True if mappedNormal() serves such an execution with the present points and weights.
  virtual bool takesMaps(const Execution&) { return false; }
  // out [batch, pixel] = normal(maps[b, pixel] image[pixel]); the products are never stored.
  virtual void mappedNormal(const Complex* /*image*/, const Complex* /*maps*/, Complex* /*out*/,
                            const Execution&) {}

  // Bytes that an execution works in and does not need afterwards, with the present points: the
  // grid, and a gridded normal operator's samples where the option `normal` asks for it. 0: such a
  // plan works only in memory that it allocates.
  virtual std::int64_t workspaceBytes() const { return 0; }
  // Lends the plan memory where its arrays are, at any address; it frees its own. The memory may
  // be overwritten between executions and serve several plans. Null: allocates the plan's again.
  // Throws Error where it is smaller than workspaceBytes() (an execution does where later points
  // need more), or where the plan takes none.
  virtual void setWorkspace(void* memory, std::int64_t bytes);

  // Times `runs` executions on random values by the device's clock. repeated: the same call again
  // and again, as iterations make it; else each call is like the first one after setPoints().
  // Empty: the plan is not on a device.
  virtual DeviceRuns deviceRuns(Direction, int /*runs*/, bool /*repeated*/) { return {}; }
  // Takes all coils of a slice to one image in this plan's memory (recon/coils/coil_gridder.h);
  // null: the host does.
  virtual CoilGridder<Real>* coilGridder() { return nullptr; }
};

// A plan in its problem's precision.
using AnyNufft = std::variant<std::unique_ptr<Nufft<float>>, std::unique_ptr<Nufft<double>>>;

// A kind of machine that makes plans: CPU or GPU.
class NufftBackend {
 public:
  virtual ~NufftBackend() = default;
  virtual std::string name() const = 0;  // problem/backend_kind.h
  BackendKind kind() const { return kindOf(name()); }
  // "CPU 16 threads, AVX-512" / "NVIDIA H100 80GB, driver 580.1"
  virtual std::string badge() const = 0;
  // Identifies hardware and software for wisdom: model, instruction set or driver, library
  // versions.
  virtual std::string fingerprint() const = 0;
  // Implementations worth timing for this problem, most promising first.
  virtual std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const = 0;
  virtual std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions&) const = 0;
  // All methods that can serve, also slow ones, for an exhaustive search.
  virtual std::vector<Method> allSpreadMethods(const NufftProblem& p, const NufftOptions& o) const {
    return spreadMethods(p, o);
  }
  virtual std::vector<Method> allInterpolateMethods(const NufftProblem& p, const NufftOptions& o) const {
    return interpolateMethods(p, o);
  }
  // Normal operators worth timing, where the options leave it open.
  virtual std::vector<NormalMethod> normalMethods(const NufftProblem&, const NufftOptions& options) const {
    if (options.normal != NormalMethod::automatic) return {options.normal};
    return {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted};
  }
  // Sets of points (NufftProblem::sets) that use the machine well; more only make a call longer. 1:
  // sets gain nothing together; 0: its plans take one set alone.
  virtual std::int64_t setsAtOnce(const NufftOptions&) const { return 0; }
  // Devices of its kind on this machine; 0: it has none (the CPU).
  virtual int deviceCount() const { return 0; }
  // The backend of one of them, from 0 on. It lives as long as this one; the first call starts it,
  // which takes a while. Throws Error where it cannot be used.
  virtual NufftBackend& device(int /*number*/) { return *this; }
  // Loads libraries that the first plan would load: a tuner does so before it times plans. A plan
  // gives the reason of a failure.
  virtual void warmUp() noexcept {}
  // The plug-in that it is (tune/plugins/tried_plugin.h), or null.
  virtual TriedPlugin* plugin() { return nullptr; }
  // Density weights (recon/density/pipe_menon.h) that are iterated in its memory; empty: the host
  // iterates. Throws Error, Cancelled.
  virtual Buffer<double> pipeMenon(const PipeMenonProblem&, const Progress&) { return {}; }

  // Bytes that a plan takes with `points` points (of all sets), and making it for a moment.
  // Allocates nothing.
  virtual std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&,
                                      std::int64_t points) const = 0;

  // Measures the bandwidth of its memory, in a second or less. Throws Cancelled, or Error if memory
  // for the arrays is missing.
  virtual MemoryCeiling memoryCeiling(const Progress& progress) const;

  // Times such transforms in turns: `side` cells (even), `pixels` of the image along each side.
  // Empty: it has none beside those of the host. Throws Error, Cancelled.
  virtual GridFftRounds gridFftRounds(int /*side*/, int /*pixels*/, int /*rounds*/, const Progress&) {
    return {};
  }

  // A plan in problem.precision. Options that are 0 or automatic are filled in; for several sets,
  // methods among those that take them. Throws Error where the accuracy cannot be reached, options
  // are out of range, the plan takes more than options.memoryLimit, or a method or a Toeplitz
  // operator takes one set alone.
  virtual AnyNufft makePlan(const NufftProblem&, const NufftOptions&) = 0;

  // The same in the precision of Real, whatever the problem asks for.
  template <class Real>
  std::unique_ptr<Nufft<Real>> plan(NufftProblem p, const NufftOptions& o) {
    p.precision = std::is_same_v<Real, float> ? Precision::single : Precision::double64;
    return std::get<std::unique_ptr<Nufft<Real>>>(makePlan(p, o));
  }
};

}  // namespace spokelab
