#include "cuda/recon/functional/wavelet_pass.h"

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

struct Filter {
  int taps;
  float low[waveletTaps], high[waveletTaps];
};

struct Lines {
  std::int64_t stride;  // of the image along the axis
  std::int64_t length;  // of the box along it
  std::int64_t shift;
};

struct Box {
  std::int64_t x, y, z, row, plane;

  // The place in the image of the box's i-th value.
  __device__ std::int64_t placeOf(std::int64_t i) const {
    return i % x + i / x % y * row + i / (x * y) * plane;
  }
};

__device__ __forceinline__ void add(float factor, float2 v, float2& sum) {
  sum = {sum.x + factor * v.x, sum.y + factor * v.y};
}

// Each thread makes one value of the box, from values of its line.
__global__ void forwardKernel(const float2* from, float2* to, Box box, Lines lines, std::int64_t count,
                              Filter filter, int axis) {
  const std::int64_t i = globalThread();
  if (i >= count) return;
  const std::int64_t place = box.placeOf(i);
  const std::int64_t at = axis == 0 ? i % box.x : axis == 1 ? i / box.x % box.y : i / (box.x * box.y);
  const float2* const line = from + (place - at * lines.stride);
  const std::int64_t even = lines.length - lines.length % 2, half = lines.length / 2,
                     details = lines.length - half;
  const auto turned = [&](std::int64_t j) { return line[(j + lines.shift) % lines.length * lines.stride]; };
  float2 sum{0, 0};
  if (at < half) {
    for (int t = 0; t < filter.taps; ++t) add(filter.low[t], turned((2 * at + t) % even), sum);
  } else if (at >= details) {
    for (int t = 0; t < filter.taps; ++t) add(filter.high[t], turned((2 * (at - details) + t) % even), sum);
  } else {
    sum = turned(lines.length - 1);
  }
  to[place] = sum;
}

__global__ void inverseKernel(const float2* from, float2* to, Box box, Lines lines, std::int64_t count,
                              Filter filter, int axis) {
  const std::int64_t i = globalThread();
  if (i >= count) return;
  const std::int64_t place = box.placeOf(i);
  const std::int64_t at = axis == 0 ? i % box.x : axis == 1 ? i / box.x % box.y : i / (box.x * box.y);
  const float2* const line = from + (place - at * lines.stride);
  const std::int64_t even = lines.length - lines.length % 2, half = lines.length / 2,
                     details = lines.length - half;
  const std::int64_t j = (at + lines.length - lines.shift % lines.length) % lines.length;
  float2 sum{0, 0};
  if (j == even) {
    sum = line[half * lines.stride];
  } else {
    for (int t = int(j % 2); t < filter.taps; t += 2) {
      const std::int64_t k = ((j - t) % even + even) % even / 2;
      add(filter.low[t], line[k * lines.stride], sum);
      add(filter.high[t], line[(details + k) * lines.stride], sum);
    }
  }
  to[place] = sum;
}

__global__ void copyBox(const float2* from, float2* to, Box box, std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i < count) to[box.placeOf(i)] = from[box.placeOf(i)];
}

Filter filterOf(WaveletFamily family) {
  const std::span<const double> low = waveletFilter(family);
  Filter filter{};
  filter.taps = int(low.size());
  for (std::size_t t = 0; t < low.size(); ++t) {
    filter.low[t] = float(low[t]);
    filter.high[t] = float((t % 2 ? -1 : 1) * low[low.size() - 1 - t]);
  }
  return filter;
}

}  // namespace

void waveletPass(const DeviceSpace& space, const WaveletPass& pass, cfloat* values, cfloat* room) {
  const auto axis = std::size_t(pass.axis);
  const std::int64_t strides[] = {1, pass.size[0], pass.size[0] * pass.size[1]};
  const Box box{pass.box[0], pass.box[1], pass.box[2], strides[1], strides[2]};
  const Lines lines{strides[axis], pass.box[axis], pass.shift};
  const std::int64_t count = product(pass.box);
  auto* const in = reinterpret_cast<float2*>(values);
  auto* const out = reinterpret_cast<float2*>(room);
  const auto stream = static_cast<cudaStream_t>(space.execution().stream);
  const auto kernel = pass.inverse ? inverseKernel : forwardKernel;
  kernel<<<blocksFor(count), threadsPerBlock, 0, stream>>>(in, out, box, lines, count, filterOf(pass.family),
                                                           pass.axis);
  copyBox<<<blocksFor(count), threadsPerBlock, 0, stream>>>(out, in, box, count);
  checkLaunch("transforming wavelets");
}

}  // namespace spokelab::gpu
