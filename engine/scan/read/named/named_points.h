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

// Distance of each sample from the centre along its shot, in cycles/FOV of the encoded space:
// diameter: (j - floor(n/2) - shift) matrix / n; from the centre: (j - shift) matrix / (2n), with a
// ramp of T and t = j dwell - delay it is t^2 / 2T until T, and t - T/2 from then on, times the
// same step.
std::vector<double> namedRadii(const TrajectoryName& name, const NamedShape& shape,
                               const std::string& problem);

// Direction of each shot's end: unit vectors, in the plane (z = 0) or over the sphere.
std::vector<Vec3> namedDirections(const TrajectoryName& name, std::int64_t shots, const std::string& problem);

// [shot, sample, 2 or 3] in cycles/FOV of the encoded space. The variant has to be there. Throws
// Error for what the shape does not allow.
std::vector<double> namedPoints(const TrajectoryName& name, const NamedShape& shape,
                                const std::string& problem);

}  // namespace spokelab
