// Trajectory generators and simulated scans.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"
#include "engine/scan/simulate/kernels/off_resonance.h"
#include "engine/scan/simulate/phantom.h"

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

// Names as used on the command line: radial, golden-radial, radial3d, golden-radial3d, stack-of-stars,
// spiral, stack-of-spirals, cones, random, gaussian, clustered, jittered.
const std::vector<std::pair<std::string, Pattern>>& patternNames();
std::string patternName(Pattern pattern);

struct TrajectoryOptions {
  Pattern pattern = Pattern::radial2d;
  // Pixels; y = 0: as x, z = 0: as x where the pattern is 3-D only, else 1. z > 1 makes random, gaussian, clustered
  // and jittered patterns 3-D.
  Index3 matrix{128, 128, 1};
  double acceleration = 1;      // R (design section 4)
  int shots = 0;                // in each plane where the pattern is a stack; 0: from R
  int samplesPerShot = 0;       // 0: N (radial, over the full diameter), one a cycle/FOV (spirals, cones)
  int spiralTurns = 0;          // 0: spirals N / (2 shots), cones N / 32, at least 1
  double planeTurn = 0.37;      // radians that a stack's planes are turned from one to the next
  double gaussianWidth = 0.15;  // standard deviation over N
  double clusterSize = 4;       // side of the box in cycles/FOV: 8 cells of a grid with alpha = 2
  double jitter = 0.5;          // of a cell: the range of the displacement
  unsigned seed = 1;            // of what is random
  double dwellSeconds = 5e-6;
  double startSeconds = 0;  // first sample of a shot after the excitation
};

// y and z filled in.
Index3 resolvedMatrix(const TrajectoryOptions& options);

// Points in cycles/FOV, sample times from startSeconds and dwellSeconds, and density weights in closed form where the
// pattern has them (radial, spirals, stacks, cones, jittered): each is the k-space that its sample stands for. Random
// patterns have none: how the points fell decides.
// Throws Error for what cannot be made.
Trajectory generateTrajectory(const TrajectoryOptions& options);

enum class PhantomKind { head, bars };
std::string phantomName(PhantomKind kind);  // "head", "bars"
Phantom makePhantom(PhantomKind kind, int dims);

struct SimulateOptions {
  TrajectoryOptions trajectory;
  PhantomKind phantom = PhantomKind::head;
  OffResonance offResonance;
  int coils = 1;
  int frames = 1;
  double noise = 0;  // standard deviation of each of real and imaginary part, relative to the rms signal
  double noiseCorrelation =
      0;                // between neighbouring coils, in [0, 1): of a chain in which coil c sees c - 1
  Vec3 fov{220, 0, 0};  // mm; 0: as x, but the slice of a 2-D pattern is 5 mm thick
  unsigned seed = 1;
};

// Samples are N_x N_y N_z times the integral of phantom.h, so that gridding (design section 3) gives the
// phantom's own values; off-resonant ones are exact sums (off_resonance.h). With noise > 0 the scan also carries
// noise readouts.
std::shared_ptr<const Scan> simulate(const SimulateOptions& options, const Progress& progress);

// The built-in scan: 3-D, multi-coil, quick to make (< 1 s) and to reconstruct. Deterministic.
std::shared_ptr<const Scan> demoScan();

// Writes a scan as ISMRMRD HDF5 (trajectory in cycles/FOV, weights as a further dimension only if asked, times as the
// fourth where they do not start at 0 with the readout).
// Throws Error.
void writeScan(const Scan& scan, const std::filesystem::path& file, const Progress& progress,
               bool withWeights = false);

}  // namespace spokelab
