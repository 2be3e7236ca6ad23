// Arrays beside a scan's file that look as if they belonged to the scan, and that its reading did
// not use: density weights, sample times, maps.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct UnusedArray {
  std::string file;     // "dcf.npy", "scan.mat:w"
  std::string meaning;  // "density weights"
  std::string reason;   // its shape, and what fits
  std::string remedy;   // the way to use it
};

// By name (dcf, weights, t, fieldmap, smaps ...) or, for real numbers, by the number of samples.
// Empty for a scan without a file. Throws nothing.
std::vector<UnusedArray> unusedArrays(const Scan& scan, const SeparateFiles& separate);

}  // namespace spokelab
