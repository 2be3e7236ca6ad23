// Trajectory generators and simulated scans.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/phantom.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class Pattern { radial2d, goldenRadial2d, radial3d, goldenRadial3d, stackOfStars, spiral2d, random };

// Names as used on the command line: radial, golden-radial, radial3d, golden-radial3d, stack-of-stars,
// spiral, random.
const std::vector<std::pair<std::string, Pattern>>& patternNames();

struct TrajectoryOptions {
  Pattern pattern = Pattern::radial2d;
  Index3 matrix{128, 128, 1};  // z > 1 where the pattern is 3-D
  double acceleration = 1;     // R (design section 4)
  int shots = 0;               // 0: from R
  int samplesPerShot = 0;      // 0: N (radial, over the full diameter)
  int spiralTurns = 0;         // spiral: 0 = N / (2 shots), at least 1
  unsigned seed = 1;           // random
  double dwellSeconds = 5e-6;
};

// Points in cycles/FOV, times from dwellSeconds, analytic density weights for the radial patterns.
Trajectory generateTrajectory(const TrajectoryOptions& options);

struct SimulateOptions {
  TrajectoryOptions trajectory;
  int coils = 1;
  int frames = 1;
  double noise = 0;  // standard deviation of each of real and imaginary part, relative to the rms signal
  Vec3 fov{220, 220, 220};  // mm
  unsigned seed = 1;
};

// Samples are N_x N_y N_z times the integral of phantom.h, so that gridding (design section 3) gives the
// phantom's own values. With noise > 0 the scan also carries noise readouts.
std::shared_ptr<const Scan> simulate(const SimulateOptions& options, const Progress& progress);

// The built-in scan: 3-D, multi-coil, quick to make (< 1 s) and to reconstruct. Deterministic.
std::shared_ptr<const Scan> demoScan();

// Writes a scan as ISMRMRD HDF5 (trajectory in cycles/FOV, weights as the last dimension only if asked).
// Throws Error.
void writeScan(const Scan& scan, const std::filesystem::path& file, const Progress& progress,
               bool withWeights = false);

}  // namespace spokelab
