#include "engine/recon/functional/low_rank_blocks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/recon/functional/singular_shrinkage.h"

namespace spokelab {
namespace {

// The first pixels of the blocks along each axis, then the end of the last block.
std::array<std::vector<std::int64_t>, 3> boundaries(const LowRankBlocks& blocks) {
  std::array<std::vector<std::int64_t>, 3> all;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t length = blocks.matrix[d], block = blocks.block[d], offset = blocks.offset[d] % block;
    all[d].push_back(0);
    for (std::int64_t at = offset > 0 ? offset : block; at < length; at += block) all[d].push_back(at);
    all[d].push_back(length);
  }
  return all;
}

Index3 countsOf(const std::array<std::vector<std::int64_t>, 3>& edges) {
  Index3 counts{};
  for (std::size_t d = 0; d < 3; ++d) counts[d] = std::int64_t(edges[d].size()) - 1;
  return counts;
}

// Uses the eigenvectors of the smaller Gram matrix.
template <class Real>
double shrink(double threshold, ComplexMatrix<Real>& x) {
  const bool tall = x.rows() >= x.cols();
  const ComplexMatrix<double> wide = x.template cast<cdouble>();
  const SingularShrinkage shrinkage = tall ? singularShrinkage(wide.adjoint() * wide, threshold)
                                           : singularShrinkage(wide * wide.adjoint(), threshold);
  const ComplexMatrix<Real> matrix = shrinkage.matrix.template cast<std::complex<Real>>();
  x = tall ? ComplexMatrix<Real>(x * matrix) : ComplexMatrix<Real>(matrix * x);
  return shrinkage.sum;
}

}  // namespace

Index3 blockCounts(const LowRankBlocks& blocks) {
  return countsOf(boundaries(blocks));
}

template <class Real>
double lowRankBlocks(const LowRankBlocks& blocks, int threads, std::complex<Real>* values) {
  const std::array<std::vector<std::int64_t>, 3> edges = boundaries(blocks);
  const Index3 counts = countsOf(edges);
  std::vector<double> sums(std::size_t(product(counts)));
  parallelFor(product(counts), threads, 1, [&](std::int64_t begin, std::int64_t end) {
    ComplexMatrix<Real> x;
    for (std::int64_t b = begin; b < end; ++b) {
      const std::array<std::int64_t, 3> at{b % counts[0], b / counts[0] % counts[1],
                                           b / (counts[0] * counts[1])};
      Index3 first{}, size{};
      for (std::size_t d = 0; d < 3; ++d) {
        first[d] = edges[d][std::size_t(at[d])];
        size[d] = edges[d][std::size_t(at[d]) + 1] - first[d];
      }
      const auto eachRow = [&](const auto& call) {  // of the block's lines along x, in each frame
        for (std::int64_t t = 0; t < blocks.frames; ++t)
          for (std::int64_t z = 0, row = 0; z < size[2]; ++z)
            for (std::int64_t y = 0; y < size[1]; ++y, row += size[0])
              call(values + t * blocks.stride + first[0] +
                       blocks.matrix[0] * (first[1] + y + blocks.matrix[1] * (first[2] + z)),
                   &x(row, t));
      };
      x.resize(product(size), blocks.frames);
      eachRow([&](const std::complex<Real>* image, std::complex<Real>* column) {
        std::copy_n(image, size[0], column);
      });
      sums[std::size_t(b)] = shrink(blocks.threshold, x);
      eachRow([&](std::complex<Real>* image, const std::complex<Real>* column) {
        std::copy_n(column, size[0], image);
      });
    }
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

template double lowRankBlocks(const LowRankBlocks&, int, cfloat*);
template double lowRankBlocks(const LowRankBlocks&, int, cdouble*);

}  // namespace spokelab
