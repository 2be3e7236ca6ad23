#include "cuda/recon/density/pipe_menon.h"

#include "cuda/device/buffer.h"
#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/stream.h"
#include "cuda/nufft/plan/plan.h"
#include "engine/core/measure/spans.h"

namespace spokelab::gpu {
namespace {

struct Window {
  std::int64_t size[3];
  double half[3];  // 0: the axis counts for nothing
  double scale;
  int dims;
};

// image *= t(n), the ball's overlap with itself (engine/recon/density/pipe_menon.cpp).
__global__ void applyWindow(Window window, float2* image, std::int64_t pixels) {
  const std::int64_t i = globalThread();
  if (i >= pixels) return;
  const std::int64_t at[3] = {i % window.size[0], i / window.size[0] % window.size[1],
                              i / window.size[0] / window.size[1]};
  double square = 0;
  for (int d = 0; d < window.dims; ++d) {
    const double n = double(at[d] - window.size[d] / 2) / window.half[d];
    square += n * n;
  }
  const double rho = sqrt(square);
  image[i] = scaled(image[i], rho >= 1 ? 0.0F : float(window.scale * ballOverlap(rho, window.dims)));
}

__global__ void toSamples(const double* weights, float2* samples, std::int64_t count) {
  const std::int64_t j = globalThread();
  if (j < count) samples[j] = {float(weights[j]), 0};
}

__global__ void fillOnes(double* weights, std::int64_t count) {
  const std::int64_t j = globalThread();
  if (j < count) weights[j] = 1;
}

// *largest (at least 0, so that its bits are in the order of its numbers) becomes the largest real
// part.
__global__ void largestPart(const float2* density, std::int64_t count, int* largest) {
  float most = 0;
  for (std::int64_t j = globalThread(); j < count; j += std::int64_t(gridDim.x) * blockDim.x)
    most = fmaxf(most, density[j].x);
  constexpr int warp = 32;
  for (int step = warp / 2; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (threadIdx.x % warp == 0) atomicMax(largest, __float_as_int(most));
}

__global__ void divide(const float2* density, const int* largest, double* weights, std::int64_t count) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  const double least = minRelativeDensity * double(__int_as_float(*largest));
  weights[j] /= fmax(double(density[j].x), least);
}

}  // namespace

Buffer<double> pipeMenonOnDevice(const DeviceInfo& device, const PipeMenonProblem& problem,
                                 const Progress& progress) {
  const Span range("density weights", SpanKind::range);
  constexpr unsigned sumBlocks = 512;
  const std::int64_t count = std::int64_t(problem.points.size()) / problem.nufft.dims,
                     pixels = problem.nufft.pixels();
  CudaNufft<float> plan(device, problem.nufft, problem.options);
  plan.setPoints(problem.points);
  Stream stream;
  DeviceBuffer<double> weights(count);
  DeviceBuffer<float2> samples(count), image(pixels);
  DeviceBuffer<int> largest(1);
  Window window{};
  window.dims = problem.nufft.dims;
  window.scale = problem.scale;
  for (std::size_t d = 0; d < 3; ++d) {
    window.size[d] = problem.nufft.size[d];
    window.half[d] = double(problem.half[d]);
  }
  Execution execution;
  execution.devicePointers = true;
  execution.stream = stream.get();
  auto* const values = reinterpret_cast<cfloat*>(samples.data());
  auto* const picture = reinterpret_cast<cfloat*>(image.data());
  fillOnes<<<blocksFor(count), threadsPerBlock, 0, stream.get()>>>(weights.data(), count);
  for (int iteration = 0; iteration < problem.iterations; ++iteration) {
    progress.report(double(iteration) / problem.iterations, "Density compensation (Pipe-Menon)");
    toSamples<<<blocksFor(count), threadsPerBlock, 0, stream.get()>>>(weights.data(), samples.data(), count);
    plan.adjoint(values, picture, execution);
    applyWindow<<<blocksFor(pixels), threadsPerBlock, 0, stream.get()>>>(window, image.data(), pixels);
    plan.forward(picture, values, execution);
    largest.zero(stream.get());
    largestPart<<<sumBlocks, threadsPerBlock, 0, stream.get()>>>(samples.data(), count, largest.data());
    divide<<<blocksFor(count), threadsPerBlock, 0, stream.get()>>>(samples.data(), largest.data(),
                                                                   weights.data(), count);
    checkLaunch("making density weights");
    synchronize(stream.get());  // a cancel is seen between iterations
  }
  Buffer<double> result(static_cast<std::size_t>(count));
  weights.download(result.data(), count, stream.get());
  synchronize(stream.get());
  return result;
}

}  // namespace spokelab::gpu
