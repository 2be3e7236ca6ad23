// The arrays that a description names (scan_description.h), opened, their axes named and their
// sizes checked against each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/scan/read/description/array_axes.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/header/decisions.h"

namespace spokelab {

// The array of a trajectory column, and for kx + i ky its part.
struct ColumnSource {
  std::size_t array = 0;
  std::int64_t column = 0;
  bool imaginary = false;
  std::string name;  // empty: to be found out
};

struct ArrayLayout {
  ScanDescription description;
  std::vector<RoleArray> trajectory;  // one, or one a column
  std::vector<ColumnSource> columns;
  std::unique_ptr<RoleArray> samples, weights, times;
  // Counts of the samples; points: shots x samples of a partition.
  std::int64_t frames = 1, slices = 1, coils = 1, partitions = 1, points = 1;
  std::int64_t pointShots = 1;                  // the points' shot axis; 1 without one
  std::vector<std::int64_t> shots;              // their lengths, of one partition
  std::vector<int> frameNumbers, sliceNumbers;  // that are read
  FrameAxes frameAxes;                          // of all frames, with the values of the description
  std::vector<int> trajectoryFrames;            // [frame]: its frame of the trajectory

  std::size_t lines() const { return shots.size() * std::size_t(partitions); }
  // The trajectory lacks the axis that the samples call partition: kz is counted.
  bool countsPartitions() const { return partitions > 1 && trajectory.front().size(Role::partition) == 1; }
};

// Decides array-axes, read-frames and read-slices. Throws Error.
ArrayLayout openArrayLayout(const ScanDescription& description, Decisions& d);

}  // namespace spokelab
