// The samples at the centre of k-space by shot, signals of motion: coils see the body move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct CentreCourses {
  std::vector<double> shots;               // that pass within one cycle/FOV of the centre
  std::vector<std::vector<double>> coils;  // [coil][such a shot]: magnitude, less a straight line
  // `values` [such a shot] at the shots 0 to `count` - 1: linear between, the nearest value beyond.
  std::vector<double> atAllShots(const std::vector<double>& values, std::int64_t count) const;
};

// Of the first frame and slice. Throws Error if fewer than 8 shots come near the centre.
CentreCourses centreCourses(const Scan& scan, const std::string& problem);

}  // namespace spokelab
