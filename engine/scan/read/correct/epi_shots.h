// The lines of EPI in a trajectory: they run back and forth along kx, in a plane or a volume.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

// A shot of EPI: ky and kz are constant, kx rises or falls.
struct EpiShot {
  std::int64_t first = 0, count = 0;  // samples
  double ky = 0, kz = 0;
  bool falls = false;
};

// The shots by kz and ky; empty where these are not lines that run back and forth.
std::vector<EpiShot> epiShots(const Trajectory& trajectory);

// The shots of the partition next to the centre: they alone show a volume as its sum along z. In a
// plane all shots. Empty where they do not run back and forth, as where trains change kz.
std::vector<EpiShot> centralShots(const std::vector<EpiShot>& shots);

// kx of a shot's samples.
std::vector<double> kxOf(const Trajectory& trajectory, const EpiShot& shot);

}  // namespace spokelab
