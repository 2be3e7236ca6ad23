// The cases of the CPU bench, most telling first: a run that is cut short keeps those. At most 30
// problems, each in both
// directions: 2-D 512^2, 3-D 126^3 and 222^3, the patterns and accelerations of [formulas].
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "engine/nufft/problem/problem.h"
#include "engine/scan/simulate/trajectories.h"

namespace spokelab::bench {

struct CpuCase {
  NufftProblem problem;
  std::string pattern;  // of patternNames()
  double acceleration = 1, tolerance = 1e-3;

  std::string name() const {
    char text[96];
    std::snprintf(text, sizeof text, "%d^%d %s R %g %s %.0e", int(problem.size[0]), problem.dims,
                  pattern.c_str(), acceleration, problem.precision == Precision::single ? "float" : "double",
                  tolerance);
    return text;
  }
};

inline CpuCase cpuCase(int dims, int n, Precision precision, double tolerance, const char* pattern,
                       double acceleration) {
  CpuCase c;
  c.problem.dims = dims;
  c.problem.size = {n, n, dims == 3 ? n : 1};
  c.problem.precision = precision;
  c.pattern = pattern;
  c.acceleration = acceleration;
  c.tolerance = tolerance;
  return c;
}

inline std::vector<CpuCase> cpuCases() {
  std::vector<CpuCase> cases;
  const auto add = [&](auto... of) { cases.push_back(cpuCase(of...)); };
  const auto f = Precision::single, d = Precision::double64;
  for (const double r : {1, 4, 16}) add(3, 126, f, 1e-3, "radial3d", r);
  for (const char* pattern : {"radial", "random", "spiral", "clustered"}) add(2, 512, f, 1e-3, pattern, 1);
  for (const double r : {16, 4}) add(3, 222, f, 1e-3, "radial3d", r);
  for (const char* pattern : {"stack-of-stars", "stack-of-spirals"}) add(3, 126, f, 1e-3, pattern, 1);
  for (const char* pattern : {"random", "clustered"}) add(3, 126, f, 1e-3, pattern, 4);
  for (const char* pattern : {"radial", "random"})
    for (const double tolerance : {1e-2, 1e-5}) add(2, 512, f, tolerance, pattern, 1);
  for (const char* pattern : {"radial", "random"}) add(2, 512, d, 1e-6, pattern, 1);
  add(2, 512, d, 1e-9, "radial", 1);
  add(3, 126, f, 1e-2, "radial3d", 4);
  add(3, 126, f, 1e-5, "radial3d", 4);
  add(3, 126, d, 1e-6, "radial3d", 4);
  add(3, 126, d, 1e-9, "random", 16);
  add(3, 126, f, 1e-2, "random", 16);
  add(3, 126, f, 1e-5, "stack-of-stars", 4);
  add(3, 126, d, 1e-6, "stack-of-stars", 16);
  add(3, 222, f, 1e-2, "stack-of-stars", 16);
  add(3, 222, f, 1e-3, "stack-of-stars", 4);
  add(3, 222, f, 1e-3, "radial3d", 1);
  return cases;
}

// Points in cycles per pixel. The clustered ones fill 8 cells of a grid with alpha = 2.
inline std::vector<double> cpuPoints(const CpuCase& c) {
  TrajectoryOptions options;
  for (const auto& [name, pattern] : patternNames())
    if (name == c.pattern) options.pattern = pattern;
  options.matrix = c.problem.size;
  options.acceleration = c.acceleration;
  const Trajectory trajectory = generateTrajectory(options);
  std::vector<double> points(trajectory.points.begin(), trajectory.points.end());
  for (double& k : points) k /= double(c.problem.size[0]);
  return points;
}

}  // namespace spokelab::bench
