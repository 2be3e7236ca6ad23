#include "cuda/nufft/plan/plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda/device/device_pointer.h"
#include "cuda/device/values/random_values.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/deapodization.h"

namespace spokelab::gpu {
template <class Real>
CudaNufft<Real>::CudaNufft(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options)
    : device_(device),
      problem_(problem),
      request_(options),
      design_(device, problem, options),
      lines_(uploadLines()),
      orders_(design_.setup),
      spread_(design_.spread->make(design_.setupOf(GridDirection::spread))),
      interpolate_(design_.interpolate->make(design_.setupOf(GridDirection::interpolate))),
      crowd_(design_.setup),
      fft_(problem.dims, imageSize(), design_.setup.grid, design_.imagesPerPass, factors(),
           design_.setup.device, stream_.get()),
      normal_(device_, problem_, design_) {
  flags_.resize(flagCount);
  flags_.zero(stream_.get());
  energy_.resize(1);
  grid_.resize(design_.imagesPerPass * design_.setup.cells());
  // The last pass may have fewer sets; the grids of all are transformed.
  if (sets() > 1) zeroGrid(stream_.get());
  describe();
}

template <class Real>
void CudaNufft<Real>::forward(const Host* image, Host* samples, const Execution& execution) {
  requirePoints();
  run("forward", execution, image, samples, Side::images, Side::samples,
      [&](const Value* in, Value* out, const Pass& pass, Scope& scope) { toSamples(in, out, pass, scope); });
}

template <class Real>
void CudaNufft<Real>::adjoint(const Host* samples, Host* image, const Execution& execution) {
  requirePoints();
  run("adjoint", execution, samples, image, Side::samples, Side::images,
      [&](const Value* in, Value* out, const Pass& pass, Scope& scope) { toImages(in, out, pass, scope); });
}

template <class Real>
ToeplitzOperator<Real>* CudaNufft<Real>::convolution() {
  const cudaStream_t stream = waitForLastCall();
  const std::int64_t held = memory() - normal_.memory();
  const NormalMethod method = normal_.method(count_, held);
  info_.options.normal = method == NormalMethod::later ? NormalMethod::gridded : method;
  if (!isToeplitz(method)) {
    if (normal_.memory() > 0) graphs_.forget();
    normal_.release();
    return nullptr;
  }
  ToeplitzOperator<Real>& made = normal_.convolution(method, coordinates_.data(), count_, held, stream);
  info_.options.toeplitzAlpha = made.alpha();
  return &made;
}

template <class Real>
void CudaNufft<Real>::setWeights(std::span<const double> weights, double divisor) {
  graphs_.forget();
  finer_.reset();
  normal_.setWeights(weights, divisor, waitForLastCall());
  if (ready_ && normal_.fits(count_)) convolution();
  updateMemoryInfo();
}

template <class Real>
const Real* CudaNufft<Real>::placeWeights(std::span<const double> weights, double divisor,
                                          const Execution& execution) {
  if (!execution.devicePointers) return nullptr;
  setWeights(weights, divisor);
  return normal_.weights(count_);
}

template <class Real>
void CudaNufft<Real>::normal(const Host* in, Host* out, const Execution& execution) {
  requirePoints();
  ToeplitzOperator<Real>* const convolution = this->convolution();
  if (CudaNufft* const finer = convolution ? nullptr : finerPlan()) {
    finer->normal(in, out, execution);
    return updateMemoryInfo();
  }
  if (!convolution) passSamples();
  run("normal", execution, in, out, Side::images, Side::images,
      [&](const Value* image, Value* result, const Pass& pass, Scope& scope) {
        normalPass(convolution, image, result, pass, scope);
      });
  updateMemoryInfo();
}

template <class Real>
void CudaNufft<Real>::normalPass(ToeplitzOperator<Real>* convolution, const Value* image, Value* result,
                                 const Pass& pass, Scope& scope) {
  if (convolution)
    return convolution->apply(image, result, pass.images(), flags_.data() + dataNotFinite, scope.clock,
                              scope.stream);
  Value* const samples = passSamples();
  toSamples(image, samples, pass, scope);
  const Real* const weights = normal_.weights(count_);
  if (weights && pass.samples() > 0) {
    multiplySamples<Real>(samples, weights, sets_.view(), pass.sets, pass.imagesOfSet, scope.stream);
    scope.clock.mark(Stage::multiply, 2.0 * double(pass.samples()) * sizeof(Value) +
                                          double(pass.sets.points()) * sizeof(Real));
  }
  toImages(samples, result, pass, scope);
}

template <class Real>
bool CudaNufft<Real>::takesMaps(const Execution& execution) {
  if (!execution.devicePointers || !ready_) return false;
  const ToeplitzOperator<Real>* const convolution = this->convolution();
  return convolution && convolution->takesMaps();
}

template <class Real>
void CudaNufft<Real>::mappedNormal(const Host* image, const Host* maps, Host* out,
                                   const Execution& execution) {
  requirePoints();
  requireDevicePointer(image, "values that go in");
  ToeplitzOperator<Real>* const convolution = this->convolution();
  run(
      "mapped normal", execution, maps, out, Side::images, Side::images,
      [&](const Value* some, Value* result, const Pass& pass, Scope& scope) {
        convolution->applyToProducts(reinterpret_cast<const Value*>(image), some, result, pass.images(),
                                     flags_.data() + dataNotFinite, scope.clock, scope.stream);
      },
      image);
}

// The outputs are never read again, so values cannot grow from run to run.
template <class Real>
DeviceRuns CudaNufft<Real>::deviceRuns(Direction direction, int runs, bool repeated) {
  requirePoints();
  requireWorkspace();
  const bool normal = direction == Direction::normal;
  ToeplitzOperator<Real>* const form = normal ? convolution() : nullptr;
  if (normal && !form) passSamples();
  const std::int64_t largestValues =
      std::max(largestPass(Side::images), normal ? 0 : largestPass(Side::samples));
  for (auto& values : staging_) {
    if (values.size() >= largestValues) continue;
    values.resize(largestValues);
    fillRandom(values.data(), largestValues, stream_.get());
  }
  const Value* const in = staging_[0].data();
  Value* const out = staging_[1].data();
  const auto execute = [&](Scope& scope) {
    for (const Pass& pass : passes()) {
      if (normal) normalPass(form, in, out, pass, scope);
      if (direction == Direction::forward || direction == Direction::both) toSamples(in, out, pass, scope);
      if (direction == Direction::adjoint || direction == Direction::both) toImages(in, out, pass, scope);
    }
  };
  DeviceRuns result;
  {
    const StageRecorder stages(result.stages);
    Scope watched(*this, "time stages", nullptr);
    execute(watched);
    watched.end();
  }

  Scope scope(*this, "time", nullptr, false);
  const Graph graph = repeated ? recorded(scope.stream, [&] { execute(scope); }) : Graph();
  if (graph) graph.launch(scope.stream);  // a first launch takes longer
  pool_.at(0).record(scope.stream);
  for (int i = 1; i <= runs; ++i) {
    graph ? graph.launch(scope.stream) : execute(scope);
    pool_.at(std::size_t(i)).record(scope.stream);
  }
  scope.end();
  finishOnHost(scope.stream);
  for (std::size_t i = 1; i <= std::size_t(runs); ++i)
    result.seconds.push_back(pool_.at(i).secondsSince(pool_.at(i - 1)));
  updateMemoryInfo();
  return result;
}

template <class Real>
std::array<int, 3> CudaNufft<Real>::imageSize() const {
  return {int(problem_.size[0]), int(problem_.size[1]), int(problem_.size[2])};
}

template <class Real>
std::array<std::vector<double>, 3> CudaNufft<Real>::factors() const {
  std::array<std::vector<double>, 3> f{{{1}, {1}, {1}}};
  for (std::size_t d = 0; d < std::size_t(problem_.dims); ++d)
    f[d] = deapodization(*design_.kernel, problem_.size[d], design_.grid[d]);
  return f;
}

template <class Real>
DeviceBuffer<Real> CudaNufft<Real>::uploadLines() {
  DeviceBuffer<Real> lines;
  if (!design_.setup.linear) return lines;
  lines.upload(design_.lines.data(), std::int64_t(design_.lines.size()), stream_.get());
  synchronize(stream_.get());
  design_.setup.table.lines = lines.data();
  return lines;
}

// Works through the batch: `work` sees device memory, one pass at a time.
template <class Real>
template <class Work>
void CudaNufft<Real>::run(const char* what, const Execution& execution, const Host* in, Host* out, Side from,
                          Side to, Work&& work, const Host* also) {
  requireWorkspace();
  const auto first = [&](Side side, const Pass& pass) {
    return side == Side::images ? pass.firstImage * problem_.pixels() : pass.firstSample;
  };
  const auto source = [&](const Pass& pass) {
    return reinterpret_cast<const Value*>(in + first(from, pass));
  };
  const auto target = [&](const Pass& pass) { return reinterpret_cast<Value*>(out + first(to, pass)); };
  if (execution.devicePointers) {
    const GraphKey key{what, in, out, also};
    const Graph* const graph = StageClock::isWatched() ? nullptr : graphs_.find(key);
    if (!graph && largestPass(from) > 0) requireDevicePointer(in, "values that go in");
    if (!graph && largestPass(to) > 0) requireDevicePointer(out, "values that come out");
    Scope scope(*this, what, execution.stream);
    const auto allPasses = [&] {
      for (const Pass& pass : passes()) work(source(pass), target(pass), pass, scope);
    };
    if (graph)
      graph->launch(scope.stream);
    else if (StageClock::isWatched() || !graphs_.isDue(key) || !record(key, scope, allPasses))
      allPasses();
    scope.end();
    if (scope.clock.waits()) finishOnHost(scope.stream);
    return updateMemoryInfo();
  }
  Scope scope(*this, what, execution.stream);
  staging_[0].resize(largestPass(from));
  staging_[1].resize(largestPass(to));
  for (const Pass& pass : passes()) {
    const std::size_t inBytes = std::size_t(lengthOf(from, pass)) * sizeof(Value);
    const std::size_t outBytes = std::size_t(lengthOf(to, pass)) * sizeof(Value);
    if (inBytes > 0) {
      copyToDevice(staging_[0].data(), source(pass), inBytes, scope.stream);
      scope.clock.mark(Stage::transfer, double(inBytes));
    }
    work(staging_[0].data(), staging_[1].data(), pass, scope);
    if (outBytes > 0) {
      copyToHost(target(pass), staging_[1].data(), outBytes, scope.stream);
      scope.clock.mark(Stage::transfer, double(outBytes));
    }
  }
  scope.end();
  finishOnHost(scope.stream);
  updateMemoryInfo();
}

// On the plan's stream: the caller's may be one that cannot record.
template <class Real>
template <class Work>
bool CudaNufft<Real>::record(const GraphKey& key, Scope& scope, Work&& work) {
  const cudaStream_t callers = std::exchange(scope.stream, stream_.get());
  Graph graph = recorded(stream_.get(), work);
  scope.stream = callers;
  const bool possible = bool(graph);
  if (possible) graph.launch(callers);
  graphs_.keep(key, std::move(graph));
  return possible;
}

template <class Real>
MethodCall<Real> CudaNufft<Real>::call(const Value* in, Value* out, const Pass& pass, cudaStream_t stream) {
  MethodCall<Real> c;
  c.in = in;
  c.out = out;
  c.batch = pass.imagesOfSet;
  c.range = pass.sets;
  c.energy = energy_.data();
  c.notFinite = flags_.data() + dataNotFinite;
  c.stream = stream;
  return c;
}

template <class Real>
std::int64_t CudaNufft<Real>::lengthOf(Side side, const Pass& pass) const {
  return side == Side::images ? pass.images() * problem_.pixels() : pass.samples();
}

template <class Real>
std::int64_t CudaNufft<Real>::largestPass(Side side) const {
  std::int64_t largest = 0;
  for (const Pass& pass : passes()) largest = std::max(largest, lengthOf(side, pass));
  return largest;
}

template <class Real>
double CudaNufft<Real>::gridBytes(const Pass& pass) const {
  return double(pass.images() * design_.setup.cells()) * sizeof(Value);
}

template <class Real>
double CudaNufft<Real>::pointBytes(const MethodFactory<Real>& method, const Pass& pass) const {
  return double(pass.sets.points()) * double(orderBytes(method)) + double(pass.samples()) * sizeof(Value);
}

template <class Real>
void CudaNufft<Real>::toSamples(const Value* images, Value* samples, const Pass& pass, Scope& scope) {
  if (pass.samples() == 0) return;
  if (grid_.isLent() && sets() > 1) zeroGrid(scope.stream);  // somebody may have written there
  fft_.toGrid(images, grid_.data(), pass.images(), problem_.sign, flags_.data() + dataNotFinite,
              interpolate_->needsEnergy() ? energy_.data() : nullptr, scope.clock, scope.stream);
  interpolate_->execute(call(grid_.data(), samples, pass, scope.stream));
  scope.clock.mark(Stage::interpolate, gridBytes(pass) + pointBytes(*design_.interpolate, pass));
}

template <class Real>
void CudaNufft<Real>::toImages(const Value* samples, Value* images, const Pass& pass, Scope& scope) {
  if (pass.samples() == 0) {
    const double bytes = double(lengthOf(Side::images, pass)) * sizeof(Value);
    check(cudaMemsetAsync(images, 0, std::size_t(bytes), scope.stream), "clearing an image");
    scope.clock.mark(Stage::zero, bytes);
    return;
  }
  if (spreadWaits_ || crowdWaits_) prepareSpreading(scope);
  if (spread_->accumulates() || crowd_.all() || (grid_.isLent() && sets() > 1)) {
    zeroGrid(scope.stream);
    scope.clock.mark(Stage::zero, gridBytes(pass));
  }
  if (!crowd_.all()) {
    const Value* const others =
        crowd_.none() ? samples : crowd_.others(samples, pass.imagesOfSet, pass.sets, scope.stream);
    spread_->execute(call(others, grid_.data(), pass, scope.stream));
  }
  if (!crowd_.none()) crowd_.spread(call(samples, grid_.data(), pass, scope.stream));
  scope.clock.mark(Stage::spread, gridBytes(pass) + pointBytes(*design_.spread, pass));
  fft_.toImage(grid_.data(), images, pass.images(), -problem_.sign, flags_.data() + dataNotFinite,
               scope.clock, scope.stream);
}

template <class Real>
std::int64_t CudaNufft<Real>::memory() const {
  return lines_.bytes() + grid_.ownBytes() + fft_.memory() + orders_.memory() + spread_->memory() +
         interpolate_->memory() + crowd_.memory() + coordinates_.bytes() + sets_.memory() + samples_.bytes() +
         staging_[0].bytes() + staging_[1].bytes() + flags_.bytes() + normal_.memory() +
         (finer_ ? finer_->memory() : 0);
}

template <class Real>
void CudaNufft<Real>::describe() {
  info_.backend = gpuBackend;
  info_.onDevice = true;
  info_.options = design_.options;
  info_.grid = design_.grid;
  info_.beta = design_.kernel->beta();
  info_.polynomialDegree = design_.polynomial.degree;
  info_.error = design_.error;
  info_.description = description();
  updateMemoryInfo();
}

template <class Real>
std::string CudaNufft<Real>::description() const {
  std::string text = "cuda, spread " + std::string(methodName(design_.options.spread)) + " (" +
                     spread_->description() + "), interpolate " +
                     std::string(methodName(design_.options.interpolate)) + " (" +
                     interpolate_->description() + ")";
  if (design_.options.crowdedSums == CrowdedSums::off) text += ", crowded points summed like the others";
  if (!crowd_.none()) text += ", crowded points summed in double";
  if (design_.setup.linear)
    text += ", linear table of " + std::to_string(design_.setup.table.density) + " values a cell";
  if (design_.options.reproducible) text += ", reproducible";
  if (sets() > 1) text += ", " + std::to_string(sets()) + " sets of points together";
  if (design_.imagesPerPass > 1) text += ", " + std::to_string(design_.imagesPerPass) + " images a pass";
  return text;
}

template <class Real>
cudaStream_t CudaNufft<Real>::waitForLastCall() {
  last_.wait(stream_.get());
  return stream_.get();
}

template class CudaNufft<float>;
template class CudaNufft<double>;

}  // namespace spokelab::gpu
