// Random scans whose every sample is known, their exact images, and their arrays in any order: what a
// file of them has to be read as.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab::test {

struct NamedSize {
  std::string name;  // of an axis of a description: "time", "coil", "shot"
  std::int64_t size = 1;
};

class RandomScan {
 public:
  // Up to two axes of frames, slices, coils and partitions, of small sizes; shots and samples.
  explicit RandomScan(std::mt19937& random);

  std::vector<NamedSize> frames;  // slowest first
  std::int64_t slices = 1, coils = 1, partitions = 1, shots = 1, samples = 1;
  std::int64_t matrix = 16;
  std::string ownTrajectories;  // name of the frames' axis along which trajectories differ; "": shared
  double coverage = 1;          // largest |k| over N/2

  std::int64_t frameCount() const;
  // The axes of the samples that are larger than 1, or all: frames, slice, coil, partition, shot, sample.
  std::vector<NamedSize> axes() const;
  std::vector<NamedSize> trajectoryAxes() const;  // with "column" last
  // Coordinate of column 0 or 1 in cycles/FOV; `own`: the place along ownTrajectories.
  double point(std::int64_t own, std::int64_t shot, std::int64_t sample, int column) const;
  // The sample of these places, one for each of axes() by name.
  cdouble sample(std::int64_t frame, std::int64_t slice, std::int64_t coil, std::int64_t partition,
                 std::int64_t shot, std::int64_t sample) const;
  std::int64_t ownOf(std::int64_t frame) const;

  // Row-major values of an array with these axes, outermost first.
  std::vector<cdouble> samplesIn(const std::vector<NamedSize>& axes) const;
  std::vector<double> pointsIn(const std::vector<NamedSize>& axes, double scale) const;

  // "" where the images of `scan` are those of this scan to 1e-5, else what differs.
  std::string difference(const Scan& scan) const;

 private:
  std::uint64_t seed_ = 0;
};

}  // namespace spokelab::test
