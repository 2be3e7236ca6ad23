// Periodic motion in time courses (a coil's samples at the centre of k-space) by singular spectrum
// analysis (SSA-FARY: Rosenzweig et al. 2020): delayed copies of the courses are rows of a matrix.
// Its singular vectors come in pairs, a quarter of a period apart, for each periodic motion.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

struct PeriodRange {
  double shortest = 0, longest = 0;  // in the unit of the times
};

// The first pair from the strongest component down: the stronger one's period is in the range, and
// both periods are within 20 % of each other.
struct Oscillation {
  std::vector<double> first, second;  // [time]; second follows first by a quarter of a period
  double period = 0, share = 0;       // in the unit of the times; of the courses' variance
  bool found = false;
};

// courses: [course][time]; times ascend in even steps.
Oscillation findOscillation(const std::vector<std::vector<double>>& courses, const std::vector<double>& times,
                            const PeriodRange& range);

// The phase of the motion at each time, in turns [0, 1): the angle of (first, second).
std::vector<double> phasesOf(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace spokelab
