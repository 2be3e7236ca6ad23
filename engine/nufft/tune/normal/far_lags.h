// q(l) = sum_j w_j e^{2 pi i l . k_j} at the lags that a kernel's aliases bring into a normal
// operator: l + p G e_d, where l is a difference of two pixels, G the oversampled grid along
// dimension d and p = +-1, +-2, ... the order of the alias. Their power is sum w^2 for random
// points, far more where samples lie on lines or near a grid; and there, and where many samples
// share a place between the cells of a grid, aliases of several orders and dimensions add in phase.
//
// The lags are sampled on lines along each dimension, by 1-D transforms of all points. The lines
// are drawn at random from the other dimensions' lags.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/nufft/problem/problem.h"
#include "engine/nufft/tune/normal/lag_lines.h"

namespace spokelab {

inline constexpr int aliasOrders = 2;               // to either side
inline constexpr int aliasCount = 2 * aliasOrders;  // p = 1, -1, 2, -2, ...
inline constexpr int aliasOrder(int index) {
  return (index % 2 == 0 ? 1 : -1) * (index / 2 + 1);
}

// Alias factors of an operator's entries, by their lag along one dimension, i * step for |i| <
// count: the mean factor of each alias and the mean product of each pair of aliases.
struct AliasFactors {
  using Mean = std::array<double, aliasCount>;
  using Products = std::array<double, aliasCount * aliasCount>;
  double step = 1;
  std::int64_t count = 1;
  std::vector<Mean> mean;          // [2 count - 1]
  std::vector<Products> products;  // [2 count - 1]

  std::size_t indexOf(double lag) const;
  Mean meanOfAll() const;
  Products meanProducts() const;
};

// Not for two threads at once: lines are made when they are first needed.
class FarLags {
 public:
  // weights: [M], or empty for ones. threads: <= 0 for all.
  FarLags(const NufftProblem& problem, std::span<const double> points, std::span<const double> weights,
          int threads);

  // The mean of |E|^2 over all pairs of pixels, where E is the sum over dimensions d and orders p
  // of a factor times q(l + p G_d e_d). factors: [dims].
  double aliasPower(const Index3& grid, std::span<const AliasFactors> factors) const;
  // The mean of |q|^2 around a grid away along a dimension.
  double meanPower(const Index3& grid, int dim) const;
  double squares() const { return squares_; }  // sum w^2

 private:
  // Lines along one dimension, with q(l + p G_e e_e) on them for this dimension and each later
  // dimension e.
  struct Lines {
    std::int64_t pixels = 1;                         // pixels of the image along the line
    std::int64_t first = 0, stride = 1, length = 0;  // lags: first + i * stride
    std::vector<LagLine> across;
    std::array<std::array<std::vector<cfloat>, aliasCount>, 3> sums;  // [e][p][line][lag]
    // sum_j w_j^2 Re e^{2 pi i (p G_d k_d - p' G_e k_e)}: the products of random points
    std::array<AliasFactors::Products, 3> random{};
    double mean = 0;  // mean of |q|^2 at p = 1, -1
    // False: the mean does not differ beyond chance from sum w^2, the mean of incoherent points.
    bool isCoherent = true;

    double lag(std::int64_t i) const { return double(first + i * stride); }
    // Share of all pairs of pixels along the dimension that have lag i, or one of the lags that it
    // represents.
    double share(std::int64_t i) const {
      return double(stride) * (double(pixels) - std::abs(lag(i))) / (double(pixels) * double(pixels));
    }
  };

  const Lines& along(int dim, const Index3& grid) const;
  void addSums(int dim, const Index3& grid, Lines& lines) const;
  static double sumAlong(const Lines& lines, int dim, const AliasFactors& factors);
  static double sumAcross(const Lines& lines, int a, int b, std::span<const AliasFactors> factors);
  static double sumOfRandomPoints(const Lines& lines, int a, int b, std::span<const AliasFactors> factors);

  NufftProblem problem_;
  int threads_;
  double squares_ = 0, part_ = 1;         // share of the points that are sampled
  std::vector<double> points_, weights_;  // the sampled points
  // Key: the dimension, and the grid's lengths from this dimension on.
  mutable std::map<std::array<std::int64_t, 4>, Lines> lines_;
};

}  // namespace spokelab
