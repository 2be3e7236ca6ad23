// Periodic motion in courses at the centre of k-space by singular spectrum analysis (SSA-FARY:
// Rosenzweig et al. 2020): the courses with their delays make a matrix, whose singular vectors come
// in pairs, a quarter of a period apart, for each periodic motion.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

struct PeriodRange {
  double shortest = 0, longest = 0;
};

// The pair whose period is in the range and whose share of the variance is largest.
struct Oscillation {
  std::vector<double> first, second;  // [time]; second follows first by a quarter of a period
  double period = 0, share = 0;       // in the unit of the times; of the variance
  bool found = false;
};

// courses: [course][time]; times ascend in even steps.
Oscillation findOscillation(const std::vector<std::vector<double>>& courses, const std::vector<double>& times,
                            const PeriodRange& range);

// [time] in [0, 1).
std::vector<double> phasesOf(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace spokelab
