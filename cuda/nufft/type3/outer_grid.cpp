#include "cuda/nufft/type3/outer_grid.h"

#include <algorithm>
#include <vector>

#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

// Neither tensor cores nor integers: their precision is chosen for what an FFT and a division
// follow.
constexpr Method exactMethods[] = {Method::subproblem,   Method::pointSorted, Method::cell,
                                   Method::outputDriven, Method::sector,      Method::pointDriven};

Method bestMethod(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options,
                  bool spread) {
  for (const Method method : rankedMethods(device, problem, options, spread, true))
    if (std::find(std::begin(exactMethods), std::end(exactMethods), method) != std::end(exactMethods))
      return method;
  throw Error("Cannot plan the transform on the GPU",
              std::string("no method of ") + (spread ? "spreading" : "interpolation") + " serves it",
              "Use the CPU");
}

NufftProblem withBatch(NufftProblem problem, std::int64_t batch) {
  problem.batch = batch;
  return problem;
}

NufftOptions withMethods(const DeviceInfo& device, const NufftProblem& problem, NufftOptions options) {
  options.precomputation = Precomputation::polynomial;
  options.memoryLimit = 0;  // the caller counts: a plan's estimate has an FFT in it
  options.spread = options.interpolate = Method::automatic;
  const Method spread = bestMethod(device, problem, options, true);
  options.interpolate = bestMethod(device, problem, options, false);
  options.spread = spread;
  return options;
}

}  // namespace

template <class Real>
OuterGrid<Real>::OuterGrid(const DeviceInfo& device, const Outer& outer, std::int64_t batch)
    : design_(device, withBatch(outer.problem, batch),
              withMethods(device, withBatch(outer.problem, batch), outer.options), true),
      orders_(design_.setup),
      spread_(design_.spread->make(design_.setup)),
      interpolate_(design_.interpolate->make(design_.setup)),
      crowd_(design_.setup) {
  grid_.resize(design_.imagesPerPass * design_.setup.cells());
  pointsNotFinite_.resize(1);
}

template <class Real>
void OuterGrid<Real>::setPoints(std::span<const double> places, cudaStream_t stream) {
  const auto dims = std::size_t(design_.setup.dims);
  std::vector<double> moved(places.begin(), places.end());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const std::int64_t cells = design_.grid[i % dims];
    moved[i] += double(cells / 2) / double(cells);
  }
  count_ = std::int64_t(moved.size() / dims);
  constexpr std::int64_t maxPoints = std::int64_t(UINT32_MAX) - 1;
  if (count_ > maxPoints)
    throw Error("Cannot set the points of a transform",
                "more than " + std::to_string(maxPoints) + " points in one plan",
                "Split the points over several plans");
  DeviceBuffer<double> coordinates;
  coordinates.upload(moved.data(), std::int64_t(moved.size()), stream);
  pointsNotFinite_.zero(stream);
  orders_.reset(coordinates.data(), count_, pointsNotFinite_.data(), {grid_.data(), grid_.bytes()});
  const PointSource<Real> source{coordinates.data(), count_, &orders_};
  crowd_.look(source, spread_->summation(count_), stream);
  spread_->setPoints(source, stream);
  interpolate_->setPoints(source, stream);
  if (crowd_.found()) crowd_.gather(source, freeMemory(), stream);
  synchronize(stream);
}

template <class Real>
MethodCall<Real> OuterGrid<Real>::call(const Value* in, Value* out, int* notFinite,
                                       cudaStream_t stream) const {
  MethodCall<Real> c;
  c.in = in;
  c.out = out;
  c.batch = design_.imagesPerPass;
  c.range = {0, 1, 0, count_};
  c.notFinite = notFinite;
  c.stream = stream;
  return c;
}

template <class Real>
void OuterGrid<Real>::spread(const Value* values, int* notFinite, cudaStream_t stream) {
  if (count_ == 0 || spread_->accumulates() || crowd_.all()) grid_.zero(stream);
  if (count_ == 0) return;
  if (!crowd_.all()) {
    const Value* const others =
        crowd_.none() ? values : crowd_.others(values, design_.imagesPerPass, {0, 1, 0, count_}, stream);
    spread_->execute(call(others, grid_.data(), notFinite, stream));
  }
  if (!crowd_.none()) crowd_.spread(call(values, grid_.data(), notFinite, stream));
}

template <class Real>
void OuterGrid<Real>::interpolate(Value* values, int* notFinite, cudaStream_t stream) {
  if (count_ > 0) interpolate_->execute(call(grid_.data(), values, notFinite, stream));
}

template <class Real>
std::int64_t OuterGrid<Real>::memory() const {
  return grid_.bytes() + orders_.memory() + spread_->memory() + interpolate_->memory() + crowd_.memory();
}

template <class Real>
std::string OuterGrid<Real>::description() const {
  std::string text = "spread " + std::string(methodName(design_.options.spread)) + " (" +
                     spread_->description() + "), interpolate " +
                     std::string(methodName(design_.options.interpolate)) + " (" +
                     interpolate_->description() + ")";
  if (!crowd_.none()) text += ", crowded points summed in double";
  return text;
}

template class OuterGrid<float>;
template class OuterGrid<double>;

}  // namespace spokelab::gpu
