// The builders behind generateTrajectory(): each appends its points in cycles/FOV, its density
// weights in (cycles/FOV)^dims where it has them, and its shots. Counts at acceleration R:
// [formulas].
#pragma once

#include "engine/scan/simulate/trajectories.h"

namespace spokelab::patterns {

inline constexpr double goldenAngle = 1.9416110387254666;  // pi (sqrt(5) - 1) / 2: 111.246 degrees

// Shots and samples; `total` where the last shot of a random pattern is shorter.
struct Counts {
  double shots = 0, samples = 0, total = 0;
};

// A builder's answer before anything is allocated, and the work. Options have their matrix.
Counts countRadial(const TrajectoryOptions& options);
void buildRadial(const TrajectoryOptions& options, Trajectory& trajectory);
Counts countSpirals(const TrajectoryOptions& options);
void buildSpirals(const TrajectoryOptions& options, Trajectory& trajectory);
Counts countCones(const TrajectoryOptions& options);
void buildCones(const TrajectoryOptions& options, Trajectory& trajectory);
Counts countScattered(const TrajectoryOptions& options);
void buildScattered(const TrajectoryOptions& options, Trajectory& trajectory);

// Archimedean spiral on a cone of sin(polar angle) = s (1: the plane), radius (n/2) x / (2 pi
// turns) at the angle x. Length from the centre in cycles/FOV.
double spiralLength(double n, double turns, double s, double x);
// The angle at a length along it: its inverse.
double spiralAngle(double n, double turns, double s, double length);

}  // namespace spokelab::patterns
