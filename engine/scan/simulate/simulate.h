// Simulated scans of phantoms.
#pragma once

#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"
#include "engine/scan/simulate/kernels/off_resonance.h"
#include "engine/scan/simulate/phantom_models.h"
#include "engine/scan/simulate/trajectories.h"

namespace spokelab {

struct SimulateOptions {
  TrajectoryOptions trajectory;
  PhantomKind phantom = PhantomKind::head;
  OffResonance offResonance;
  // Seconds from the excitation to the start of each echo's sample times, which the samples' own
  // times add to. Each frame has all echoes, the echo axis fastest. Empty: one, without a name.
  std::vector<double> echoTimes;
  // The phantom's shapes decay with T2 from echo to echo, and the golden angle continues over the
  // echoes (echo_train.h).
  bool decayShapes = false;
  // Excitations of a fingerprint (fingerprint.h), a frame each, in which the shapes have T1 and T2,
  // and over which the golden angle continues. 0: no fingerprint.
  int fingerprint = 0;
  double shotPhase = 0;    // rad: the largest phase of a shot (shot_phases.h)
  double breathingMm = 0;  // that the phantom moves along y in a breath (breathing.h)
  int breathShots = 40;    // shots of a breath
  int heartShots = 0;      // shots of a heartbeat (heartbeat.h); 0: without a heart
  int coils = 1;
  int frames = 1;
  // Standard deviation of each of real and imaginary part, relative to the rms signal.
  double noise = 0;
  // Correlation of neighbouring coils' noise, in [0, 1): of a chain in which coil c sees c - 1.
  double noiseCorrelation = 0;
  Vec3 fov{220, 0, 0};  // mm; 0: as x, but the slice of a 2-D pattern is 5 mm thick
  unsigned seed = 1;
};

// Samples are N_x N_y N_z times the integral of phantom.h, so that gridding [formulas] gives the
// phantom's own values; off-resonant ones are exact sums (off_resonance.h). With noise > 0 the scan
// also carries noise readouts, relative to the first echo. Arrays that the scan carries:
//   "FieldMap"               of an off-resonant scan, rad/s
//   "PhaseMaps", "SENSEMap"  of a scan whose shots have phases: these, rad, and the coil maps
//   "PMU RESP", "PMU ECG"    of one frame whose subject moves, with the times of its shots
// Throws Error, Cancelled.
std::shared_ptr<const Scan> simulate(const SimulateOptions& options, const Progress& progress);

}  // namespace spokelab
