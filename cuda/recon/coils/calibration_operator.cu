#include "cuda/recon/coils/calibration_operator.h"

#include <algorithm>
#include <vector>

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/stream.h"
#include "engine/core/measure/spans.h"
#include "engine/recon/coils/kernels/coil_loops.h"

namespace spokelab::gpu {
namespace {

struct Box {
  int x, y, z;
  __host__ __device__ int cells() const { return x * y * z; }
};

Box box(const Index3& n) {
  return {int(n[0]), int(n[1]), int(n[2])};
}

// matrix [place, (coil, cell)]: the block at each place of data [coil, z, y, x].
__global__ void fillMatrix(const float2* data, Box size, Box width, Box places, std::int64_t count,
                           float2* matrix) {
  const std::int64_t i = globalThread();
  if (i >= count) return;
  const int rows = places.cells(), row = int(i % rows), column = int(i / rows), cell = column % width.cells(),
            coil = column / width.cells();
  const int x = row % places.x + cell % width.x, y = row / places.x % places.y + cell / width.x % width.y,
            z = row / (places.x * places.y) + cell / (width.x * width.y);
  matrix[i] = data[((std::int64_t(coil) * size.z + z) * size.y + y) * size.x + x];
}

// Columns of vectors [rows, count], each divided by the root of its value.
__global__ void scaleColumns(float2* vectors, const float* values, int rows, std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i >= count) return;
  const float value = values[i / rows];
  vectors[i] = scaled(vectors[i], value > 0 ? rsqrtf(value) : 0.0F);
}

// Coefficient of shift s and coils b >= c: the mean over cells a of the projection's numbers of (c,
// a + s) and (b, a), as the host has it. projection [n, n]: its lower triangle.
__global__ void sumDiagonals(const float2* projection, int coils, Box width, float2* out) {
  const int cells = width.cells(), n = coils * cells, pairs = coilPairs(coils);
  const int nx = 2 * width.x - 1, ny = 2 * width.y - 1, nz = 2 * width.z - 1;
  const std::int64_t i = globalThread();  // [sz, sy, pair, sx]
  if (i >= std::int64_t(nx) * ny * nz * pairs) return;
  const int sx = int(i % nx) - (width.x - 1), pair = int(i / nx % pairs),
            sy = int(i / nx / pairs % ny) - (width.y - 1), sz = int(i / nx / pairs / ny) - (width.z - 1);
  int b = 0;
  while ((b + 1) * (b + 2) / 2 <= pair) ++b;
  const int c = pair - b * (b + 1) / 2;
  float2 sum{0, 0};
  for (int z = max(0, -sz); z < min(width.z, width.z - sz); ++z)
    for (int y = max(0, -sy); y < min(width.y, width.y - sy); ++y)
      for (int x = max(0, -sx); x < min(width.x, width.x - sx); ++x) {
        const int a = (z * width.y + y) * width.x + x, s = (sz * width.y + sy) * width.x + sx;
        const std::int64_t row = c * cells + a + s, column = b * cells + a;
        const float2 v = row >= column ? projection[row + column * n] : projection[column + row * n];
        sum = plus(sum, row >= column ? v : float2{v.x, -v.y});
      }
  out[i] = scaled(sum, 1.0F / float(cells));
}

}  // namespace

std::int64_t calibrationRows(const CalibrationData& data, const Index3& width) {
  return std::min(product(blockPlaces(data, width)), data.coils * product(width));
}

DeviceBuffer<float2> deviceOperator(DenseAlgebra& algebra, const CalibrationData& data, const Index3& width,
                                    double share, const Progress& progress, cudaStream_t stream) {
  const Span traced("calibration space");
  const Index3 places = blockPlaces(data, width);
  const std::int64_t rows = product(places), columns = data.coils * product(width),
                     n = std::min(rows, columns);
  const bool tall = rows > columns;
  DeviceBuffer<float2> values, matrix(rows * columns), gram(n * n);
  values.upload(reinterpret_cast<const float2*>(data.values.data()), std::int64_t(data.values.size()),
                stream);
  fillMatrix<<<blocksFor(rows * columns), threadsPerBlock, 0, stream>>>(
      values.data(), box(data.size), box(width), box(places), rows * columns, matrix.data());
  checkLaunch("estimating coil maps");
  algebra.gram(tall, n, tall ? rows : columns, matrix.data(), gram.data(), stream);
  progress.checkpoint();
  DeviceBuffer<float> eigenvalues(n);
  if (!algebra.eigenvectors(n, gram.data(), eigenvalues.data(), stream)) return {};
  std::vector<float> ascending(static_cast<std::size_t>(n));
  eigenvalues.download(ascending.data(), n, stream);
  synchronize(stream);
  progress.checkpoint();
  const auto limit = float(share * double(ascending.back()));
  const std::int64_t first = std::lower_bound(ascending.begin(), ascending.end(), limit) - ascending.begin(),
                     rank = n - first;
  float2* vectors = gram.data() + first * n;
  DeviceBuffer<float2> basis, projection(columns * columns);
  if (!tall) {  // right singular vectors from left ones
    scaleColumns<<<blocksFor(rank * n), threadsPerBlock, 0, stream>>>(vectors, eigenvalues.data() + first,
                                                                      int(n), rank * n);
    checkLaunch("estimating coil maps");
    basis.resize(columns * rank);
    algebra.adjointProduct(columns, rank, rows, matrix.data(), vectors, basis.data(), stream);
    vectors = basis.data();
  }
  algebra.gram(false, columns, rank, vectors, projection.data(), stream);
  const std::int64_t count = product(operatorShifts(width)) * coilPairs(data.coils);
  DeviceBuffer<float2> coefficients(count);
  sumDiagonals<<<blocksFor(count), threadsPerBlock, 0, stream>>>(projection.data(), data.coils, box(width),
                                                                 coefficients.data());
  checkLaunch("estimating coil maps");
  synchronize(stream);
  return coefficients;
}

}  // namespace spokelab::gpu
