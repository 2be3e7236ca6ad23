// Points of a trajectory that is known by its name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/read/named/trajectory_name.h"

namespace spokelab {

// The shape that the samples' file tells.
struct NamedShape {
  std::int64_t shots = 0, samples = 0;  // samples of each shot
  double matrix = 0;                    // pixels of the encoded space along the readout; 0: unknown
  double partitions = 0;                // along kz; 0: not known
  double dwell = 0;                     // s; 0: not known
};

// Distance of each sample j of n from the centre along its shot, in cycles/FOV of the encoded
// space. R: the name's radius, or matrix / 2 (unknown: n / 2, centre-out n). u = j - shift -
// delay / dwell, in samples.
//   diameter:    2 R (u - floor(n/2)) / n
//   centre-out:  R w / n with T = ramp / dwell and
//                w = 0 for u < 0,   u^2 / (2 T) for 0 <= u < T,   u - T/2 from T on
std::vector<double> namedRadii(const TrajectoryName& name, const NamedShape& shape,
                               const std::string& problem);

// Direction of each shot's end: unit vectors, in the plane (z = 0) or over the sphere.
std::vector<Vec3> namedDirections(const TrajectoryName& name, std::int64_t shots, const std::string& problem);

// [shot, sample, 2 or 3] in cycles/FOV of the encoded space. The variant has to be there. Throws
// Error for what the shape does not allow.
std::vector<double> namedPoints(const TrajectoryName& name, const NamedShape& shape,
                                const std::string& problem);

}  // namespace spokelab
