// The maps that an iterative reconstruction of a slice (or volume) would use, to be looked at:
// coils, field, phases of shots. Values are those that enter the equations: units converted, signs
// turned.
#pragma once

#include "engine/recon/sense/backend.h"

namespace spokelab {

struct ScanMaps {
  std::shared_ptr<const Image> coils;   // a frame a coil (after preparation), one set after the other
  std::shared_ptr<const Image> field;   // Hz, or null
  std::shared_ptr<const Image> phases;  // rad, a frame a chosen shot, or null
  std::vector<int> phaseShots;  // the shot that each frame of `phases` belongs to; empty: all, in order
  int coilSets = 1;
  int shots = 0;                       // of the scan, chosen or not
  double firstTime = 0, lastTime = 0;  // s from the field map's time origin; 0, 0 where the scan has no times
  double largestPhase = 0;             // rad, of the field over the readout
  std::vector<std::string> notes;
};

// The first of options.frames and options.slices. Throws Error if a map does not fit; Cancelled.
ScanMaps scanMaps(Backend& backend, const Scan& scan, const ReconOptions& options, const Progress& progress);

}  // namespace spokelab
