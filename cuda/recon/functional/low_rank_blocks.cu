// Locally low rank on the device: one thread block for an image block. A block's matrix has `size`
// entries in each of `count` vectors, where size is the smaller one of frames and pixels. So only a
// small Gram matrix needs eigenvectors, by Jacobi's rotations in shared memory (Golub and Van Loan,
// Matrix Computations, 8.5): a round of the tournament rotates size / 2 pairs of rows at once.
#include "cuda/recon/functional/low_rank_blocks.h"

#include <algorithm>

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

constexpr int maxSize = 32;        // two matrices of double2 are then 32 KB
constexpr int blockThreads = 128;  // the 16 x 32 entries that a round changes are four a thread
constexpr int maxSweeps = 16;      // six to eight suffice in double precision
// Squares of entries that count as zero, beside the two diagonal entries, and beside the trace.
constexpr double negligible = 1e-28, rounded = 1e-32;

struct Lattice {
  int matrix[3], block[3], offset[3], counts[3];
  std::int64_t stride;
  int frames;
  float threshold;
};

struct BlockPlace {
  int first[3], size[3];
};

__device__ BlockPlace placeOf(const Lattice& lattice, int number) {
  BlockPlace place;
  for (int d = 0; d < 3; ++d) {
    const int at = number % lattice.counts[d];
    number /= lattice.counts[d];
    const int lead = lattice.offset[d] > 0 ? lattice.offset[d] - lattice.block[d] : 0;
    const int begin = max(0, lead + at * lattice.block[d]);
    place.first[d] = begin;
    place.size[d] = min(lattice.matrix[d], lead + (at + 1) * lattice.block[d]) - begin;
  }
  return place;
}

// The vectors of a block: its pixels, each with the values of all frames, or its frames, each with
// the values of all pixels. Both have the same shrunk matrix but for conjugation, which cancels.
class BlockVectors {
 public:
  __device__ BlockVectors(const Lattice& lattice, float2* values)
      : lattice_(lattice), place_(placeOf(lattice, int(blockIdx.x))), values_(values) {
    const int pixels = place_.size[0] * place_.size[1] * place_.size[2];
    ofPixels_ = pixels >= lattice.frames;
    size = ofPixels_ ? lattice.frames : pixels;
    count = ofPixels_ ? pixels : lattice.frames;
  }
  __device__ float2& at(int vector, int entry) const {
    const int pixel = ofPixels_ ? vector : entry, frame = ofPixels_ ? entry : vector;
    const int line = pixel / place_.size[0];
    const int x = place_.first[0] + pixel % place_.size[0], y = place_.first[1] + line % place_.size[1],
              z = place_.first[2] + line / place_.size[1];
    return values_[frame * lattice_.stride + x +
                   std::int64_t(lattice_.matrix[0]) * (y + std::int64_t(lattice_.matrix[1]) * z)];
  }

  int size = 0, count = 0;

 private:
  const Lattice& lattice_;
  BlockPlace place_;
  float2* values_;
  bool ofPixels_ = true;
};

// gram(i, j) = sum over vectors of conj(v_i) v_j; a warp for each pair.
__device__ void gramOf(const BlockVectors& vectors, double2* gram) {
  const int n = vectors.size, lane = int(threadIdx.x) % 32;
  for (int pair = int(threadIdx.x) / 32; pair < n * n; pair += blockThreads / 32) {
    const int i = pair / n, j = pair % n;
    if (j < i) continue;
    double2 sum{0, 0};
    for (int k = lane; k < vectors.count; k += 32) {
      const float2 a = vectors.at(k, i), b = vectors.at(k, j);
      sum = plus(sum, conjugateTimes(double2{a.x, a.y}, double2{b.x, b.y}));
    }
    for (int step = 16; step > 0; step /= 2) {
      sum.x += __shfl_xor_sync(~0U, sum.x, step);
      sum.y += __shfl_xor_sync(~0U, sum.y, step);
    }
    if (lane > 0) continue;
    gram[i * n + j] = sum;
    gram[j * n + i] = {sum.x, -sum.y};
  }
}

struct Rotation {
  int p, q;  // p < 0: none
  double c, s;
  double2 phase;  // of gram(p, q)
};

// The pair `k` of round `round`: every player meets every other in players - 1 rounds.
__device__ Rotation rotationFor(const double2* gram, int n, double trace, int round, int k) {
  const int players = n + n % 2, others = players - 1;
  int p = k == 0 ? others : (round + k) % others, q = k == 0 ? round : (round - k + others) % others;
  if (p > q) {
    const int swapped = p;
    p = q;
    q = swapped;
  }
  Rotation none{-1, -1, 1, 0, {1, 0}};
  if (q >= n) return none;
  const double2 apart = gram[p * n + q];
  const double square = apart.x * apart.x + apart.y * apart.y, a = gram[p * n + p].x, b = gram[q * n + q].x;
  if (!(square > fmax(negligible * fabs(a * b), rounded * trace * trace))) return none;
  const double length = sqrt(square), tau = (b - a) / (2 * length);
  const double t = copysign(1.0, tau) / (fabs(tau) + sqrt(1 + tau * tau)), c = 1 / sqrt(1 + t * t);
  return {p, q, c, t * c, {apart.x / length, apart.y / length}};
}

// x, y become c x - s w y and s x + c w y.
__device__ void rotate(double2& x, double2& y, const Rotation& r, double2 w) {
  const double2 turned = times(w, y), before = x;
  x = minus(scaled(before, r.c), scaled(turned, r.s));
  y = plus(scaled(before, r.s), scaled(turned, r.c));
}

// gram becomes diagonal; the columns of `vectors` are its eigenvectors.
__device__ void diagonalize(double2* gram, double2* vectors, int n) {
  __shared__ Rotation rotations[maxSize / 2];
  const int pairs = (n + 1) / 2, thread = int(threadIdx.x);
  for (int i = thread; i < n * n; i += blockThreads) vectors[i] = {i / n == i % n ? 1.0 : 0.0, 0};
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += gram[i * n + i].x;
  __syncthreads();
  for (int sweep = 0; sweep < maxSweeps; ++sweep) {
    int rotated = 0;
    for (int round = 0; round < 2 * pairs - 1; ++round) {
      if (thread < pairs) rotations[thread] = rotationFor(gram, n, trace, round, thread);
      __syncthreads();
      for (int i = thread; i < pairs * n; i += blockThreads) {  // columns
        const Rotation& r = rotations[i / n];
        if (r.p < 0) continue;
        rotated = 1;
        const int row = i % n * n;
        const double2 back{r.phase.x, -r.phase.y};
        rotate(gram[row + r.p], gram[row + r.q], r, back);
        rotate(vectors[row + r.p], vectors[row + r.q], r, back);
      }
      __syncthreads();
      for (int i = thread; i < pairs * n; i += blockThreads) {  // rows
        const Rotation& r = rotations[i / n];
        if (r.p >= 0) rotate(gram[r.p * n + i % n], gram[r.q * n + i % n], r, r.phase);
      }
      __syncthreads();
    }
    if (!__syncthreads_or(rotated)) return;
  }
}

__global__ void __launch_bounds__(blockThreads)
    lowRankKernel(Lattice lattice, float2* values, float2* roots) {
  __shared__ double2 gram[maxSize * maxSize], eigenvectors[maxSize * maxSize];
  __shared__ double kept[maxSize];
  const BlockVectors vectors(lattice, values);
  const int n = vectors.size, thread = int(threadIdx.x);
  gramOf(vectors, gram);
  __syncthreads();
  diagonalize(gram, eigenvectors, n);
  __syncthreads();
  if (thread < n) {
    const double singular = sqrt(fmax(0.0, gram[thread * n + thread].x));
    kept[thread] = singular > lattice.threshold ? 1 - lattice.threshold / singular : 0;
    gram[thread * n + thread].x = kept[thread] * singular;
  }
  __syncthreads();
  if (thread == 0) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += gram[i * n + i].x;
    roots[blockIdx.x] = {float(sqrt(sum)), 0};
  }
  __syncthreads();
  // V diag(kept) V^H; it takes the place of the Gram matrix.
  for (int i = thread; i < n * n; i += blockThreads) {
    double2 sum{0, 0};
    for (int k = 0; k < n; ++k)
      sum = plus(sum,
                 scaled(conjugateTimes(eigenvectors[i % n * n + k], eigenvectors[i / n * n + k]), kept[k]));
    gram[i] = sum;
  }
  __syncthreads();
  for (int k = thread; k < vectors.count; k += blockThreads) {
    float2 entries[maxSize];
    for (int i = 0; i < n; ++i) entries[i] = vectors.at(k, i);
    for (int j = 0; j < n; ++j) {
      float2 sum{0, 0};
      for (int i = 0; i < n; ++i) {
        const double2 m = gram[i * n + j];
        sum = plus(sum, times(float2{float(m.x), float(m.y)}, entries[i]));
      }
      vectors.at(k, j) = sum;
    }
  }
}

}  // namespace

bool fitsDevice(const DeviceSpace&, const LowRankBlocks& blocks) {
  return std::min(product(blocks.block), blocks.frames) <= maxSize && product(blocks.block) <= INT32_MAX &&
         blocks.frames <= INT32_MAX;
}

void lowRankBlocks(const DeviceSpace& space, const LowRankBlocks& blocks, cfloat* values, cfloat* roots) {
  Lattice lattice{};
  const Index3 counts = blockCounts(blocks);
  for (std::size_t d = 0; d < 3; ++d) {
    lattice.matrix[d] = int(blocks.matrix[d]);
    lattice.block[d] = int(blocks.block[d]);
    lattice.offset[d] = int(blocks.offset[d] % blocks.block[d]);
    lattice.counts[d] = int(counts[d]);
  }
  lattice.stride = blocks.stride;
  lattice.frames = int(blocks.frames);
  lattice.threshold = float(blocks.threshold);
  const auto on = [](cfloat* x) { return reinterpret_cast<float2*>(x); };
  lowRankKernel<<<blocksFor(product(counts), 1), blockThreads, 0,
                  static_cast<cudaStream_t>(space.execution().stream)>>>(lattice, on(values), on(roots));
  checkLaunch("shrinking singular values");
}

}  // namespace spokelab::gpu
