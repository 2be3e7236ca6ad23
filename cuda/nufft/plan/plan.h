// The GPU's plan: sorted points, grid, FFT and the two methods, put together. Each call works
// through the batch, or through several sets of points, in passes (pass.h), on the caller's stream
// or the plan's own; an event orders calls on different streams.
//
// Three things are made only when a call needs them, after the points are set:
//   spreadWaits_  the order of all points for spreading. A plan that was made to interpolate sorts
//                 for interpolation at once, and for spreading at its first adjoint.
//   crowdWaits_   the order of crowded points (crowd.h) alone; the rest is sorted.
//   finer_        the plan of a gridded normal operator that needs finer transforms than these.
// begin() clears all three for new points. prepareSpreading() and finerPlan() make them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/device.h"
#include "cuda/device/measure/stage_clock.h"
#include "cuda/nufft/fft/grid_fft.h"
#include "cuda/nufft/plan/call_graphs.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/plan/normal_form.h"
#include "cuda/nufft/plan/pass.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/spread/crowd.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/grid_memory.h"

namespace spokelab::gpu {

template <class Real>
class CudaNufft : public Nufft<Real> {
 public:
  using Host = std::complex<Real>;
  using Value = Complex<Real>;

  // Throws Error where the accuracy cannot be reached, a method does not serve the problem, or
  // memory is short.
  CudaNufft(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options);
  ~CudaNufft() override { cudaStreamSynchronize(stream_.get()); }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return count_; }

  void setPoints(const PlanPoints& given) override;
  void forward(const Host* image, Host* samples, const Execution& execution) override;
  void adjoint(const Host* samples, Host* image, const Execution& execution) override;
  // Also makes the convolution of a Toeplitz form if points are set, so that the first normal()
  // does not contain this planning.
  void setWeights(std::span<const double> weights) override { setWeights(weights, 1); }
  void normal(const Host* in, Host* out, const Execution& execution) override;
  bool takesMaps(const Execution& execution) override;
  void mappedNormal(const Host* image, const Host* maps, Host* out, const Execution& execution) override;
  const Real* placeWeights(std::span<const double> weights, double divisor,
                           const Execution& execution) override;
  DeviceRuns deviceRuns(Direction direction, int runs, bool repeated) override;
  std::int64_t workspaceBytes() const override;
  void setWorkspace(void* lent, std::int64_t bytes) override;

 protected:
  // One call: its stream, ordered after the call before, and its clock.
  struct Scope {
    CudaNufft& plan;
    Span range;
    cudaStream_t stream;
    StageClock clock;
    // what: for profilers. callers: the caller's stream, or null for the plan's own. watched:
    // false: the stages are not reported.
    Scope(CudaNufft& p, const char* what, void* callers, bool watched = true)
        : plan(p),
          range(what, SpanKind::range),
          stream(callers ? static_cast<cudaStream_t>(callers) : p.stream_.get()),
          clock(p.pool_, after(p, stream), watched) {}
    void end() {
      clock.finish();
      plan.last_.record(stream);
    }
    static cudaStream_t after(CudaNufft& p, cudaStream_t s) {
      p.last_.wait(s);
      return s;
    }
  };

  std::vector<Pass> passes() const {
    return passesOf(sets_, problem_.batch, design_.imagesPerPass, design_.setsPerPass);
  }
  std::int64_t sets() const { return design_.setup.sets; }
  // The plan's stream, once the call before has passed it.
  cudaStream_t waitForLastCall();
  void requirePoints() const;
  SetView setView() const { return sets_.view(); }
  std::int64_t pointsOfSet(std::int64_t set) const { return sets_.range(set, 1).points(); }
  // Room for the samples and for the images of the largest pass; contents last until the next call.
  Value* passSamples();
  Value* passImages();
  // Adjoints of one pass: its samples to its images (device).
  void toImages(const Value* samples, Value* images, const Pass& pass, Scope& scope);
  // Waits, and reports what kernels found. Calls with device pointers come here only where somebody
  // listens to their stages.
  void finishOnHost(cudaStream_t stream);
  // Device bytes held now.
  virtual std::int64_t memory() const;
  void updateMemoryInfo() { info_.memory = memory(); }

 private:
  enum class Side { images, samples };
  enum Flag { pointsNotFinite, dataNotFinite, flagCount };  // what kernels found
  static constexpr std::int64_t workspaceAlignment = 256;   // bytes, as cudaMalloc has

  // Bytes that a transform by this method reads for each point, without its samples.
  std::int64_t orderBytes(const MethodFactory<Real>& method) const {
    return method.pointBytes ? method.pointBytes(design_.setup)
                             : PointOrders<Real>::pointBytes(design_.setup);
  }
  std::array<int, 3> imageSize() const;
  std::array<std::vector<double>, 3> factors() const;
  DeviceBuffer<Real> uploadLines();
  void setWeights(std::span<const double> weights, double divisor);
  void begin(std::int64_t count);
  // The Toeplitz form of the points, made where it is not there yet; null where the form is another
  // one.
  ToeplitzOperator<Real>* convolution();
  void order(const double* coordinates, Scope& scope);
  // Copies the caller's coordinates, which may be gone later.
  void keepCoordinates(const double* points, Scope& scope);
  PointSource<Real> pointSource(const double* coordinates);
  // Sorts the points for both directions. Crowded points are sorted too, or wait (crowdWaits_).
  void orderForBoth(const PointSource<Real>& source, cudaStream_t stream);
  // Makes what spreadWaits_ and crowdWaits_ say is missing, and clears both.
  void prepareSpreading(Scope& scope);
  // also: a further array that `work` reads, or null.
  template <class Work>
  void run(const char* what, const Execution& execution, const Host* in, Host* out, Side from, Side to,
           Work&& work, const Host* also = nullptr);
  // Records `work`, launches it on the scope's stream and keeps the graph; false: it cannot be
  // recorded.
  template <class Work>
  bool record(const GraphKey& key, Scope& scope, Work&& work);
  // The finer plan of the normal operator, made and given these points at the first call. Null:
  // this plan's transforms serve, as they were asked for the normal operator or are accurate
  // enough. Throws Error if the plan kept no points.
  CudaNufft* finerPlan();
  void takePoints(CudaNufft& other);  // copies other's points and weights
  // Applies the Toeplitz form, or, if it is null, forward, weights and adjoint.
  void normalPass(ToeplitzOperator<Real>* convolution, const Value* image, Value* result, const Pass& pass,
                  Scope& scope);
  MethodCall<Real> call(const Value* in, Value* out, const Pass& pass, cudaStream_t stream);
  void toSamples(const Value* images, Value* samples, const Pass& pass, Scope& scope);
  std::int64_t lengthOf(Side side, const Pass& pass) const;
  std::int64_t largestPass(Side side) const;
  double gridBytes(const Pass& pass) const;
  double pointBytes(const MethodFactory<Real>& method, const Pass& pass) const;
  // Device bytes that may still be taken.
  std::int64_t spareMemory() const;
  void zeroGrid(cudaStream_t stream);
  // Throws Error where lent memory is too small for the points.
  void requireWorkspace() const;
  void describe();
  std::string description() const;

  DeviceInfo device_;
  NufftProblem problem_;
  NufftOptions request_;
  GpuPlanDesign<Real> design_;
  PlanInfo info_;
  Stream stream_;
  Event last_{false};
  EventPool pool_;
  DeviceSets sets_;
  DeviceBuffer<Real> lines_;  // the kernel's linear table
  PointOrders<Real> orders_;
  std::unique_ptr<GridMethod<Real>> spread_, interpolate_;
  Crowd<Real> crowd_;
  GridFft<Real> fft_;
  GridMemory<Value, DeviceBuffer<Value>, workspaceAlignment> grid_;
  DeviceBuffer<Value> samples_, staging_[2];
  DeviceBuffer<double> coordinates_;
  DeviceBuffer<int> flags_;
  DeviceBuffer<double> energy_;  // [1] sum of |value|² over the input of a forward pass's FFT
  NormalForm<Real> normal_;
  std::unique_ptr<CudaNufft> finer_;  // has these points and weights; null: no call needed it yet
  CallGraphs graphs_;
  // Points now, and the largest number for which begin() found that memory suffices.
  std::int64_t count_ = 0, checked_ = 0;
  bool ready_ = false;  // points are set: order() sets it, begin() and a NaN clear it
  bool spreadWaits_ = false, crowdWaits_ = false;  // set by order(), see above
  bool holdsCoordinates_ = false;                  // coordinates_ has the points: set by order()
};

extern template class CudaNufft<float>;
extern template class CudaNufft<double>;

}  // namespace spokelab::gpu
