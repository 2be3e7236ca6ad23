#include "engine/recon/functional/low_rank_blocks.h"

#include <Eigen/Dense>
#include <algorithm>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

template <class Real>
using FrameMatrix = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic>;

// Where blocks begin along an axis, and where the last one ends.
std::vector<std::int64_t> boundaries(std::int64_t length, std::int64_t block, std::int64_t offset) {
  std::vector<std::int64_t> all{0};
  for (std::int64_t at = offset > 0 ? offset : block; at < length; at += block) all.push_back(at);
  all.push_back(length);
  return all;
}

// The matrix with its singular values shrunk; returns the sum of the new ones.
template <class Real>
double shrinkSingularValues(double threshold, FrameMatrix<Real>& x) {
  const bool tall = x.rows() >= x.cols();
  const FrameMatrix<double> wide = x.template cast<cdouble>();
  const FrameMatrix<double> gram = tall ? FrameMatrix<double>(wide.adjoint() * wide) : wide * wide.adjoint();
  const Eigen::SelfAdjointEigenSolver<FrameMatrix<double>> solver(gram);
  Eigen::ArrayXd kept(gram.rows());
  double sum = 0;
  for (Eigen::Index i = 0; i < kept.size(); ++i) {
    const double singular = std::sqrt(std::max(0.0, solver.eigenvalues()[i]));
    kept[i] = singular > threshold ? 1 - threshold / singular : 0;
    sum += kept[i] * singular;
  }
  const FrameMatrix<double>& v = solver.eigenvectors();
  const FrameMatrix<Real> shrinking =
      (v * kept.matrix().cast<cdouble>().asDiagonal() * v.adjoint()).template cast<std::complex<Real>>();
  x = tall ? FrameMatrix<Real>(x * shrinking) : FrameMatrix<Real>(shrinking * x);
  return sum;
}

}  // namespace

template <class Real>
double lowRankBlocks(const LowRankBlocks& blocks, int threads, std::complex<Real>* values) {
  std::array<std::vector<std::int64_t>, 3> edges;
  Index3 counts{};
  for (std::size_t d = 0; d < 3; ++d) {
    edges[d] = boundaries(blocks.matrix[d], blocks.block[d], blocks.offset[d] % blocks.block[d]);
    counts[d] = std::int64_t(edges[d].size()) - 1;
  }
  std::vector<double> sums(std::size_t(product(counts)));
  parallelFor(product(counts), threads, 1, [&](std::int64_t begin, std::int64_t end) {
    FrameMatrix<Real> x;
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
      sums[std::size_t(b)] = shrinkSingularValues(blocks.threshold, x);
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
