// Sampling patterns: their names, their options, and their points.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

enum class Pattern {
  radial2d,
  goldenRadial2d,
  radial3d,
  goldenRadial3d,
  stackOfStars,
  spiral2d,
  stackOfSpirals,
  cones,
  random,     // uniform
  gaussian,   // variable density, densest at the centre
  clustered,  // all in one small box: the worst case of a non-uniform FFT
  jittered    // Cartesian lines, each point moved at random within its cell
};

// Names as used on the command line: radial, golden-radial, radial3d, golden-radial3d,
// stack-of-stars, spiral, stack-of-spirals, cones, random, gaussian, clustered, jittered.
const std::vector<std::pair<std::string, Pattern>>& patternNames();
std::string patternName(Pattern pattern);

struct TrajectoryOptions {
  Pattern pattern = Pattern::radial2d;
  // Pixels; y = 0: as x, z = 0: as x where the pattern is 3-D only, else 1. z > 1 makes random,
  // gaussian, clustered and jittered patterns 3-D.
  Index3 matrix{128, 128, 1};
  double acceleration = 1;  // R [formulas]
  int shots = 0;            // in each plane where the pattern is a stack; 0: from R
  // 0: N (radial, over the full diameter), or one for each cycle/FOV (spirals, cones).
  int samplesPerShot = 0;
  int spiralTurns = 0;          // 0: spirals N / (2 shots), cones N / 32, at least 1
  double planeTurn = 0.37;      // radians that a stack's planes are turned from one to the next
  double gaussianWidth = 0.15;  // standard deviation over N
  double clusterSize = 4;       // side of the box in cycles/FOV: 8 cells of a grid with alpha = 2
  double jitter = 0.5;          // of a cell: the range of the displacement
  unsigned seed = 1;            // of the random numbers
  double dwellSeconds = 5e-6;
  double startSeconds = 0;  // first sample of a shot after the excitation
};

// y and z filled in.
Index3 resolvedMatrix(const TrajectoryOptions& options);

// Generates points in cycles/FOV, sample times from startSeconds and dwellSeconds, and density
// weights for patterns with a closed form (radial, spirals, stacks, cones, jittered): the k-space
// area of each sample. Random patterns have no weights, because these depend on the draw. Throws
// Error for impossible options.
Trajectory generateTrajectory(const TrajectoryOptions& options);

}  // namespace spokelab
