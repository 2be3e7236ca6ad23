#include "cuda/nufft/fft/deapodize.h"

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

constexpr int warp = 32;
constexpr int rowsPerBlock = 8;  // one warp a row
// Longer rows are cut over blocks, so that all loads of a warp are on their way at once.
constexpr int cellsPerWarp = 256;

struct Shape {
  int image[3], grid[3];
};

template <class Real>
struct Factors {
  const Real *x, *y, *z;
};

// Pixel index of grid cell l, or -1 where the cell is padding.
__device__ __forceinline__ int pixelOf(int l, int image, int grid) {
  const int half = image / 2, frequency = l < image - half ? l : l - grid;
  return frequency >= -half ? frequency + half : -1;
}

__device__ __forceinline__ int cellOf(int pixel, int image, int grid) {
  const int frequency = pixel - image / 2;
  return frequency < 0 ? frequency + grid : frequency;
}

// Adds what each thread found; one addition to *energy for a block that has any.
__device__ __forceinline__ void addEnergy(double mine, double* energy) {
  __shared__ double share[rowsPerBlock];
  for (int step = warp / 2; step > 0; step /= 2) mine += __shfl_xor_sync(~0u, mine, step);
  if (threadIdx.x == 0) share[threadIdx.y] = mine;
  __syncthreads();
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  double sum = 0;
  for (const double s : share) sum += s;
  if (sum > 0) atomicAdd(energy, sum);
}

template <class Real>
__global__ void __launch_bounds__(warp* rowsPerBlock)
    padKernel(Shape s, Factors<Real> f, const Complex<Real>* __restrict__ image,
              Complex<Real>* __restrict__ grid, std::int64_t rows, int* notFinite, double* energy) {
  const std::int64_t row = std::int64_t(blockIdx.x) * rowsPerBlock + threadIdx.y;
  double mine = 0;
  if (row < rows) {
    const int y = int(row % s.grid[1]), z = int(row / s.grid[1] % s.grid[2]);
    const std::int64_t b = row / s.grid[1] / s.grid[2];
    const int py = pixelOf(y, s.image[1], s.grid[1]), pz = pixelOf(z, s.image[2], s.grid[2]);
    const bool empty = py < 0 || pz < 0;
    const Real fyz = empty ? Real(0) : f.y[py] * f.z[pz];
    const Complex<Real>* const in = image + ((b * s.image[2] + pz) * s.image[1] + py) * s.image[0];
    Complex<Real>* const out = grid + row * s.grid[0];
#pragma unroll
    for (int i = 0; i < cellsPerWarp / warp; ++i) {
      const int x = blockIdx.y * cellsPerWarp + i * warp + threadIdx.x;
      if (x >= s.grid[0]) continue;
      const int px = empty ? -1 : pixelOf(x, s.image[0], s.grid[0]);
      Complex<Real> v{0, 0};
      if (px >= 0) {
        v = in[px];
        if (!isFinite(v)) *notFinite = 1;
        const Real w = f.x[px] * fyz;
        v.x *= w;
        v.y *= w;
        mine += double(v.x) * v.x + double(v.y) * v.y;
      }
      out[x] = v;
    }
  }
  if (energy) addEnergy(mine, energy);
}

template <class Real>
__global__ void __launch_bounds__(warp* rowsPerBlock)
    cropKernel(Shape s, Factors<Real> f, const Complex<Real>* __restrict__ grid,
               Complex<Real>* __restrict__ image, std::int64_t rows, int* notFinite) {
  const std::int64_t row = std::int64_t(blockIdx.x) * rowsPerBlock + threadIdx.y;
  if (row >= rows) return;
  const int py = int(row % s.image[1]), pz = int(row / s.image[1] % s.image[2]);
  const std::int64_t b = row / s.image[1] / s.image[2];
  const int y = cellOf(py, s.image[1], s.grid[1]), z = cellOf(pz, s.image[2], s.grid[2]);
  const Real fyz = f.y[py] * f.z[pz];
  const Complex<Real>* const in = grid + ((b * s.grid[2] + z) * s.grid[1] + y) * s.grid[0];
  Complex<Real>* const out = image + row * s.image[0];
#pragma unroll
  for (int i = 0; i < cellsPerWarp / warp; ++i) {
    const int px = blockIdx.y * cellsPerWarp + i * warp + threadIdx.x;
    if (px >= s.image[0]) continue;
    Complex<Real> v = in[cellOf(px, s.image[0], s.grid[0])];
    const Real w = f.x[px] * fyz;
    v.x *= w;
    v.y *= w;
    if (!isFinite(v)) *notFinite = 1;
    out[px] = v;
  }
}

Shape shapeOf(const std::array<int, 3>& image, const std::array<int, 3>& grid) {
  Shape s{};
  for (int d = 0; d < 3; ++d) {
    s.image[d] = image[std::size_t(d)];
    s.grid[d] = grid[std::size_t(d)];
  }
  return s;
}

template <class Real>
Factors<Real> factorsOf(const DeviceBuffer<Real>& buffer, const std::array<int, 3>& image) {
  return {buffer.data(), buffer.data() + image[0], buffer.data() + image[0] + image[1]};
}

dim3 rowBlocks(std::int64_t rows, int length) {
  return {blocksFor(rows, rowsPerBlock), unsigned((length + cellsPerWarp - 1) / cellsPerWarp), 1};
}

}  // namespace

template <class Real>
DeviceBuffer<Real> uploadedFactors(const std::array<std::vector<double>, 3>& factor, cudaStream_t stream) {
  std::vector<Real> all;
  for (const auto& axis : factor) all.insert(all.end(), axis.begin(), axis.end());
  DeviceBuffer<Real> device;
  device.upload(all.data(), std::int64_t(all.size()), stream);
  check(cudaStreamSynchronize(stream), "copying to the GPU");
  return device;
}

template <class Real>
Deapodizer<Real>::Deapodizer(const std::array<int, 3>& image, const std::array<int, 3>& grid,
                             const std::array<std::vector<double>, 3>& factor, cudaStream_t stream)
    : image_(image), grid_(grid), factors_(uploadedFactors<Real>(factor, stream)) {
}

template <class Real>
void Deapodizer<Real>::pad(const Complex<Real>* image, Complex<Real>* grid, std::int64_t batch,
                           int* notFinite, double* energy, cudaStream_t stream) const {
  const std::int64_t rows = batch * grid_[1] * grid_[2];
  if (energy) check(cudaMemsetAsync(energy, 0, sizeof(double), stream), "clearing a sum");
  padKernel<Real><<<rowBlocks(rows, grid_[0]), dim3(warp, rowsPerBlock), 0, stream>>>(
      shapeOf(image_, grid_), factorsOf(factors_, image_), image, grid, rows, notFinite, energy);
  checkLaunch("deapodizing");
}

template <class Real>
void Deapodizer<Real>::crop(const Complex<Real>* grid, Complex<Real>* image, std::int64_t batch,
                            int* notFinite, cudaStream_t stream) const {
  const std::int64_t rows = batch * image_[1] * image_[2];
  cropKernel<Real><<<rowBlocks(rows, image_[0]), dim3(warp, rowsPerBlock), 0, stream>>>(
      shapeOf(image_, grid_), factorsOf(factors_, image_), grid, image, rows, notFinite);
  checkLaunch("deapodizing");
}

template DeviceBuffer<float> uploadedFactors<float>(const std::array<std::vector<double>, 3>&, cudaStream_t);
template DeviceBuffer<double> uploadedFactors<double>(const std::array<std::vector<double>, 3>&,
                                                      cudaStream_t);
template class Deapodizer<float>;
template class Deapodizer<double>;

}  // namespace spokelab::gpu
