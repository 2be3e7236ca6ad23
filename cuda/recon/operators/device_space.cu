#include "cuda/recon/operators/device_space.h"

#include <algorithm>

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/values/convert.h"

namespace spokelab::gpu {
namespace {

// A power of two, because sums halve the block step by step.
constexpr int threads = 256;
// Blocks of a sum, each of which leaves one part.
constexpr int maxSumBlocks = 1024;

__global__ void axpyKernel(float a, const float2* x, float2* y, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i < n) y[i] = {y[i].x + a * x[i].x, y[i].y + a * x[i].y};
}

__global__ void addTimesKernel(float2 a, const float2* x, float2* y, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i < n) y[i] = {y[i].x + a.x * x[i].x - a.y * x[i].y, y[i].y + a.x * x[i].y + a.y * x[i].x};
}

__global__ void xpayKernel(const float2* x, float a, float2* y, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i < n) y[i] = {x[i].x + a * y[i].x, x[i].y + a * y[i].y};
}

__global__ void scaledCopyKernel(float a, const float2* x, float2* y, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i < n) y[i] = {a * x[i].x, a * x[i].y};
}

// Vectors that one launch takes, as arguments of the kernel.
constexpr int maxUnits = 16;
struct Units {
  const float2* vector[maxUnits];
};

// Over the block, for thread 0.
__device__ __forceinline__ double2 blockSum(double2 part) {
  __shared__ double2 parts[threads];
  __syncthreads();  // the sum before has been read
  parts[threadIdx.x] = part;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] = plus(parts[threadIdx.x], parts[threadIdx.x + half]);
  }
  return parts[0];
}

// Vectors whose products with another one are summed while that is looked at once.
constexpr int maxProducts = 8;

// <x, y> for `vectors` x from the `first` one on: for each the blocks' real parts, then their
// imaginary parts.
template <int Most>
__global__ void dotKernel(Units xs, int first, int vectors, const float2* y, std::int64_t n, double* sums) {
  double2 part[Most] = {};
  for (std::int64_t i = globalThread(); i < n; i += std::int64_t(gridDim.x) * blockDim.x) {
    const double2 right{double(y[i].x), double(y[i].y)};
#pragma unroll
    for (int v = 0; v < Most; ++v) {
      if (v >= vectors) continue;
      const float2 x = xs.vector[first + v][i];
      part[v] = plus(part[v], conjugateTimes(double2{double(x.x), double(x.y)}, right));
    }
  }
#pragma unroll
  for (int v = 0; v < Most; ++v) {
    if (v >= vectors) continue;
    const double2 whole = blockSum(part[v]);
    double* const sum = sums + std::int64_t(2) * (first + v) * gridDim.x;
    if (threadIdx.x == 0) {
      sum[blockIdx.x] = whole.x;
      sum[gridDim.x + blockIdx.x] = whole.y;
    }
  }
}

// One sum of `count` parts a block, in a fixed order; it replaces the first part.
__global__ void addParts(double* sums, int count) {
  double* const sum = sums + blockIdx.x * count;
  double part = 0;
  for (int i = threadIdx.x; i < count; i += threads) part += sum[i];
  const double2 whole = blockSum({part, 0});
  if (threadIdx.x == 0) sum[0] = whole.x;
}

// x -= sum of unit component, and the blocks' parts of <x, x> of what is left. Components lie 2
// `count` numbers apart, the imaginary part `count` behind the real one.
__global__ void removeKernel(Units units, int vectors, const double* components, int count, float2* x,
                             std::int64_t n, double* squares) {
  __shared__ float2 component[maxUnits];
  if (threadIdx.x < vectors) {
    const double* const given = components + std::int64_t(2) * threadIdx.x * count;
    component[threadIdx.x] = {float(given[0]), float(given[count])};
  }
  __syncthreads();
  double square = 0;
  for (std::int64_t i = globalThread(); i < n; i += std::int64_t(gridDim.x) * blockDim.x) {
    float2 left = x[i];
#pragma unroll 4
    for (int v = 0; v < vectors; ++v) {
      const float2 part = times(units.vector[v][i], component[v]);
      left = {left.x - part.x, left.y - part.y};
    }
    x[i] = left;
    square += double(left.x) * left.x + double(left.y) * left.y;
  }
  const double2 whole = blockSum({square, 0});
  if (threadIdx.x == 0) squares[blockIdx.x] = whole.x;
}

__global__ void expandKernel(const float2* image, const float2* maps, const float2* phase, float2* out,
                             std::int64_t count, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  const float2 v = phase ? times(image[i], phase[i]) : image[i];
  for (std::int64_t c = 0; c < count; ++c) out[c * n + i] = times(v, maps[c * n + i]);
}

__global__ void combineKernel(const float2* in, const float2* maps, const float2* phase, float2* out,
                              std::int64_t count, std::int64_t n, bool add) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  float2 sum{0, 0};
  for (std::int64_t c = 0; c < count; ++c) {
    const float2 v = conjugateTimes(maps[c * n + i], in[c * n + i]);
    sum = {sum.x + v.x, sum.y + v.y};
  }
  if (phase) sum = conjugateTimes(phase[i], sum);
  out[i] = add ? float2{out[i].x + sum.x, out[i].y + sum.y} : sum;
}

__global__ void scaleByKernel(const float2* factors, float2* values, std::int64_t count, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  for (std::int64_t c = 0; c < count; ++c) values[c * n + i] = times(values[c * n + i], factors[i]);
}

__global__ void scaleByRealKernel(const float* factors, float2* values, std::int64_t count, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  for (std::int64_t c = 0; c < count; ++c) values[c * n + i] = scaled(values[c * n + i], factors[i]);
}

struct Axes {
  std::int64_t length[3], stride[3];
};

__global__ void differencesKernel(const float2* image, float2* out, Axes axes, int dims, std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  for (int d = 0; d < dims; ++d) {
    const bool inside = i / axes.stride[d] % axes.length[d] + 1 < axes.length[d];
    const float2 next = inside ? image[i + axes.stride[d]] : image[i];
    out[d * n + i] = {next.x - image[i].x, next.y - image[i].y};
  }
}

__global__ void differencesAdjointKernel(float a, const float2* in, float2* image, Axes axes, int dims,
                                         std::int64_t n) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  float2 sum{0, 0};
  for (int d = 0; d < dims; ++d) {
    const std::int64_t at = i / axes.stride[d] % axes.length[d];
    if (at > 0) {
      const float2 v = in[d * n + i - axes.stride[d]];
      sum = {sum.x + v.x, sum.y + v.y};
    }
    if (at + 1 < axes.length[d]) {
      const float2 v = in[d * n + i];
      sum = {sum.x - v.x, sum.y - v.y};
    }
  }
  image[i] = {image[i].x + a * sum.x, image[i].y + a * sum.y};
}

__global__ void shrinkKernel(float threshold, float2* values, std::int64_t n, int dims) {
  const std::int64_t i = globalThread();
  if (i >= n) return;
  float square = 0;
  for (int d = 0; d < dims; ++d) {
    const float2 v = values[d * n + i];
    square += v.x * v.x + v.y * v.y;
  }
  const float length = sqrtf(square), factor = length > threshold ? (length - threshold) / length : 0;
  for (int d = 0; d < dims; ++d) {
    const float2 v = values[d * n + i];
    values[d * n + i] = {v.x * factor, v.y * factor};
  }
}

const float2* on(const cfloat* x) {
  return reinterpret_cast<const float2*>(x);
}
float2* on(cfloat* x) {
  return reinterpret_cast<float2*>(x);
}

int sumBlocks(std::int64_t n) {
  return int(std::min<std::int64_t>(maxSumBlocks, blocksFor(n, threads)));
}

Axes axesOf(const Index3& size) {
  return {{size[0], size[1], size[2]}, {1, size[0], size[0] * size[1]}};
}

}  // namespace

DeviceSpace::DeviceSpace() : sum_((2 * maxUnits + 1) * maxSumBlocks) {
}

Execution DeviceSpace::execution() const {
  Execution e;
  e.devicePointers = true;
  e.stream = stream_.get();
  return e;
}

void DeviceSpace::upload(const cfloat* host, cfloat* x, std::int64_t n) {
  if (n == 0) return;
  ++copies_;
  copyToDevice(x, host, std::size_t(n) * sizeof(cfloat), stream_.get());
  // The host's array may go once this returns.
  synchronize();
}

void DeviceSpace::uploadReal(const double* host, cfloat* x, std::int64_t n) {
  if (n == 0) return;
  ++copies_;
  DeviceBuffer<double> values;
  values.upload(host, n, stream_.get());
  convertValues(values.data(), reinterpret_cast<float2*>(x), n, stream_.get());
  synchronize();
}

void DeviceSpace::download(const cfloat* x, cfloat* host, std::int64_t n) {
  if (n == 0) return;
  ++copies_;
  copyToHost(host, x, std::size_t(n) * sizeof(cfloat), stream_.get());
  synchronize();
}

void DeviceSpace::zero(cfloat* x, std::int64_t n) const {
  check(cudaMemsetAsync(x, 0, std::size_t(n) * sizeof(cfloat), stream_.get()), "clearing GPU memory");
}

void DeviceSpace::copy(const cfloat* from, cfloat* to, std::int64_t n) const {
  check(cudaMemcpyAsync(to, from, std::size_t(n) * sizeof(cfloat), cudaMemcpyDeviceToDevice, stream_.get()),
        "copying on the GPU");
}

void DeviceSpace::axpy(float a, const cfloat* x, cfloat* y, std::int64_t n) const {
  axpyKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(a, on(x), on(y), n);
  checkLaunch("adding vectors");
}

void DeviceSpace::addTimes(cfloat a, const cfloat* x, cfloat* y, std::int64_t n) const {
  addTimesKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>({a.real(), a.imag()}, on(x), on(y), n);
  checkLaunch("adding vectors");
}

void DeviceSpace::xpay(const cfloat* x, float a, cfloat* y, std::int64_t n) const {
  xpayKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(on(x), a, on(y), n);
  checkLaunch("adding vectors");
}

void DeviceSpace::scaledCopy(float a, const cfloat* x, cfloat* y, std::int64_t n) const {
  scaledCopyKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(a, on(x), on(y), n);
  checkLaunch("copying a vector");
}

double DeviceSpace::dot(const cfloat* x, const cfloat* y, std::int64_t n) const {
  const int blocks = sumBlocks(n);
  dotKernel<1><<<blocks, threads, 0, stream_.get()>>>({{on(x)}}, 0, 1, on(y), n, sum_.data());
  return sumOfParts(sum_.data(), blocks);
}

double DeviceSpace::removeComponents(std::span<const Vector> units, cfloat* x, std::int64_t n) const {
  const int blocks = sumBlocks(n);
  double* const squares = sum_.data() + 2 * maxUnits * blocks;
  for (std::size_t first = 0; first < units.size(); first += maxUnits) {
    const auto part = units.subspan(first, std::min<std::size_t>(maxUnits, units.size() - first));
    const int vectors = int(part.size());
    Units pointers{};
    for (std::size_t v = 0; v < part.size(); ++v) pointers.vector[v] = on(part[v].data());
    for (int v = 0; v < vectors; v += maxProducts)
      dotKernel<maxProducts><<<blocks, threads, 0, stream_.get()>>>(
          pointers, v, std::min(maxProducts, vectors - v), on(x), n, sum_.data());
    addParts<<<2 * vectors, threads, 0, stream_.get()>>>(sum_.data(), blocks);
    removeKernel<<<blocks, threads, 0, stream_.get()>>>(pointers, vectors, sum_.data(), blocks, on(x), n,
                                                        squares);
    checkLaunch("removing components");
  }
  return units.empty() ? dot(x, x, n) : sumOfParts(squares, blocks);
}

double DeviceSpace::sumOfParts(double* parts, int count) const {
  addParts<<<1, threads, 0, stream_.get()>>>(parts, count);
  checkLaunch("multiplying vectors");
  double result = 0;
  check(cudaMemcpyAsync(&result, parts, sizeof result, cudaMemcpyDeviceToHost, stream_.get()),
        "copying a sum from the GPU");
  synchronize();
  return result;
}

void DeviceSpace::expand(const cfloat* image, const cfloat* maps, const cfloat* phase, cfloat* out,
                         std::int64_t count, std::int64_t n) const {
  expandKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(on(image), on(maps), on(phase), on(out),
                                                                     count, n);
  checkLaunch("applying coil maps");
}

void DeviceSpace::combine(const cfloat* in, const cfloat* maps, const cfloat* phase, cfloat* out,
                          std::int64_t count, std::int64_t n, bool add) const {
  combineKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(on(in), on(maps), on(phase), on(out),
                                                                      count, n, add);
  checkLaunch("combining coils");
}

void DeviceSpace::scale(const cfloat* factors, cfloat* values, std::int64_t count, std::int64_t n) const {
  scaleByKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(on(factors), on(values), count, n);
  checkLaunch("weighting samples");
}

void DeviceSpace::scaleReal(const float* factors, cfloat* values, std::int64_t count, std::int64_t n) const {
  scaleByRealKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(factors, on(values), count, n);
  checkLaunch("weighting samples");
}

void DeviceSpace::differences(const cfloat* image, cfloat* out, const Index3& size, int dims) const {
  const std::int64_t n = product(size);
  differencesKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(on(image), on(out), axesOf(size),
                                                                          dims, n);
  checkLaunch("taking differences");
}

void DeviceSpace::addDifferencesAdjoint(float a, const cfloat* in, cfloat* image, const Index3& size,
                                        int dims) const {
  const std::int64_t n = product(size);
  differencesAdjointKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(a, on(in), on(image),
                                                                                 axesOf(size), dims, n);
  checkLaunch("adding differences");
}

void DeviceSpace::shrink(float threshold, cfloat* values, std::int64_t n, int dims) const {
  shrinkKernel<<<blocksFor(n, threads), threads, 0, stream_.get()>>>(threshold, on(values), n, dims);
  checkLaunch("shrinking differences");
}

}  // namespace spokelab::gpu
