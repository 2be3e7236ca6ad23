// Compares two series of repeats without assuming a distribution of times (they have long tails):
// are the times of one run shorter than the other's?
//   test        Mann and Whitney (1947): U = #{(i, j): x_i < y_j} + ties/2, two-sided. Exact for
//               few repeats without ties; else the normal approximation, corrected for ties and
//               continuity.
//   ratio       Hodges and Lehmann (1963), of logarithms: the median of all y_j / x_i
//   interval    the ratios that the same test does not reject: order statistics of y_j / x_i
//   many cases  Holm (1979): the chance that any verdict of a family is wrong is below the level
#pragma once

#include <span>
#include <vector>

namespace spokelab {

struct RankTest {
  double p = 1;      // two-sided; 1 where a series is empty
  double ratio = 1;  // after / before
  double low =
      0;  // interval of the ratio at the confidence asked for; 0 and infinity: the repeats are too few
  double high = 0;
};

// All times > 0. confidence in (0, 1).
RankTest compareRepeats(std::span<const double> before, std::span<const double> after, double confidence);

// The exact chance that U is as far from its mean n m / 2 as `u`, or farther, for series of n and m
// values without ties. 0 <= u <= n m.
double exactRankProbability(int n, int m, double u);

// The p values of a family after Holm's correction, in the order given. NaN counts as 1.
std::vector<double> holmCorrected(std::span<const double> p);

double medianOf(std::vector<double> values);               // 0 without values
double quantileOf(std::vector<double> values, double q);   // linear between order statistics
double relativeSpread(const std::vector<double>& values);  // (p75 - p25) / median

}  // namespace spokelab
