#include "tests/bench/gpu_exact.h"

#include "tests/bench/gpu_cases.h"

namespace spokelab::bench {
namespace {

constexpr int threads = 256, outputsPerBlock = 4;

struct Shape {
  int dims, sign;
  std::int64_t size[3];
};

template <class Real>
struct Pair {
  Real x, y;
};

// n k less its whole turns. The product is not rounded before: an error of u n k turns puts 1.4e-11
// into the sums of a line of 325,664 pixels where k is near 1/2.
__device__ double partOfTurn(double n, double k) {
  return fma(n, k, -rint(n * k));
}

__device__ double2 sumOverBlock(double2 v) {
  __shared__ double2 part[threads];
  part[threadIdx.x] = v;
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      part[threadIdx.x].x += part[threadIdx.x + step].x;
      part[threadIdx.x].y += part[threadIdx.x + step].y;
    }
    __syncthreads();
  }
  const double2 sum = part[0];
  __syncthreads();
  return sum;
}

// One block a sample: the phases of each axis once, their products for each pixel.
template <class Real>
__global__ void forwardKernel(Shape shape, const double* points, const Pair<Real>* image,
                              const std::int64_t* selection, double2* out) {
  extern __shared__ double2 phase[];
  const double* k = points + selection[blockIdx.x] * shape.dims;
  double2* axis[3] = {phase, phase + shape.size[0], phase + shape.size[0] + shape.size[1]};
  for (int d = 0; d < 3; ++d)
    for (std::int64_t i = threadIdx.x; i < shape.size[d]; i += threads) {
      const double turns = d < shape.dims ? partOfTurn(double(i - shape.size[d] / 2), k[d]) : 0;
      sincospi(shape.sign * 2 * turns, &axis[d][i].y, &axis[d][i].x);
    }
  __syncthreads();
  double2 sum{0, 0};
  const std::int64_t pixels = shape.size[0] * shape.size[1] * shape.size[2];
  for (std::int64_t p = threadIdx.x; p < pixels; p += threads) {
    const std::int64_t row = p / shape.size[0];
    const double2 x = axis[0][p % shape.size[0]], y = axis[1][row % shape.size[1]],
                  z = axis[2][row / shape.size[1]];
    const double2 xy{x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};
    const double2 e{xy.x * z.x - xy.y * z.y, xy.x * z.y + xy.y * z.x};
    const Pair<Real> f = image[p];
    sum.x += f.x * e.x - f.y * e.y;
    sum.y += f.x * e.y + f.y * e.x;
  }
  sum = sumOverBlock(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// The same for images with axes too long for shared memory.
template <class Real>
__global__ void longForwardKernel(Shape shape, const double* points, const Pair<Real>* image,
                                  const std::int64_t* selection, double2* out) {
  double k[3] = {0, 0, 0};
  for (int d = 0; d < shape.dims; ++d) k[d] = points[selection[blockIdx.x] * shape.dims + d];
  double2 sum{0, 0};
  const std::int64_t pixels = shape.size[0] * shape.size[1] * shape.size[2];
  for (std::int64_t p = threadIdx.x; p < pixels; p += threads) {
    double turns = 0;
    std::int64_t rest = p;
    for (int d = 0; d < 3; ++d) {
      turns += partOfTurn(double(rest % shape.size[d] - shape.size[d] / 2), k[d]);
      rest /= shape.size[d];
    }
    double sine, cosine;
    sincospi(shape.sign * 2 * turns, &sine, &cosine);
    const Pair<Real> f = image[p];
    sum.x += f.x * cosine - f.y * sine;
    sum.y += f.x * sine + f.y * cosine;
  }
  sum = sumOverBlock(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// One block for a few pixels: each point is read once for all of them.
template <class Real>
__global__ void adjointKernel(Shape shape, const double* points, std::int64_t count,
                              const Pair<Real>* samples, const std::int64_t* selection, double2* out) {
  double n[outputsPerBlock][3];
  double2 sum[outputsPerBlock];
  for (int o = 0; o < outputsPerBlock; ++o) {
    std::int64_t rest = selection[blockIdx.x * outputsPerBlock + o];
    for (int d = 0; d < 3; ++d) {
      n[o][d] = double(rest % shape.size[d] - shape.size[d] / 2);
      rest /= shape.size[d];
    }
    sum[o] = {0, 0};
  }
  for (std::int64_t j = threadIdx.x; j < count; j += threads) {
    double k[3] = {0, 0, 0};
    for (int d = 0; d < shape.dims; ++d) k[d] = points[j * shape.dims + d];
    const Pair<Real> c = samples[j];
    for (int o = 0; o < outputsPerBlock; ++o) {
      double turns = 0;  // each axis reduced by itself: the sum is small
      for (int d = 0; d < 3; ++d) turns += partOfTurn(n[o][d], k[d]);
      double sine, cosine;
      sincospi(-shape.sign * 2 * turns, &sine, &cosine);
      sum[o].x += c.x * cosine - c.y * sine;
      sum[o].y += c.x * sine + c.y * cosine;
    }
  }
  for (int o = 0; o < outputsPerBlock; ++o) {
    const double2 total = sumOverBlock(sum[o]);
    if (threadIdx.x == 0) out[blockIdx.x * outputsPerBlock + o] = total;
  }
}

}  // namespace

template <class Real>
std::vector<std::complex<double>> exactSums(const NufftProblem& problem, bool adjoint, const double* points,
                                            std::int64_t count, const std::complex<Real>* input,
                                            const std::vector<std::int64_t>& selection) {
  std::vector<std::int64_t> padded = selection;  // to whole blocks
  while (padded.size() % outputsPerBlock != 0) padded.push_back(selection.front());
  const DeviceArray<std::int64_t> chosen(padded);
  const DeviceArray<std::complex<double>> out(padded.size());
  Shape shape{problem.dims, problem.sign, {problem.size[0], problem.size[1], problem.size[2]}};
  const auto* data = reinterpret_cast<const Pair<Real>*>(input);
  auto* sums = reinterpret_cast<double2*>(out.get());
  if (adjoint) {
    adjointKernel<Real><<<unsigned(padded.size() / outputsPerBlock), threads>>>(shape, points, count, data,
                                                                                chosen.get(), sums);
  } else {
    const std::size_t shared = std::size_t(shape.size[0] + shape.size[1] + shape.size[2]) * sizeof(double2);
    constexpr std::size_t maxShared = std::size_t(40) << 10;  // beside the block's sum
    if (shared > maxShared)
      longForwardKernel<Real><<<unsigned(padded.size()), threads>>>(shape, points, data, chosen.get(), sums);
    else
      forwardKernel<Real>
          <<<unsigned(padded.size()), threads, shared>>>(shape, points, data, chosen.get(), sums);
  }
  require(cudaGetLastError(), "starting the exact sums");
  require(cudaDeviceSynchronize(), "the exact sums");
  std::vector<std::complex<double>> result = out.read();
  result.resize(selection.size());
  return result;
}

template std::vector<std::complex<double>> exactSums<float>(const NufftProblem&, bool, const double*,
                                                            std::int64_t, const std::complex<float>*,
                                                            const std::vector<std::int64_t>&);
template std::vector<std::complex<double>> exactSums<double>(const NufftProblem&, bool, const double*,
                                                             std::int64_t, const std::complex<double>*,
                                                             const std::vector<std::int64_t>&);

}  // namespace spokelab::bench
