// The order of a Bruker experiment's samples in its file (fid, or rawdata.job0 of ParaVision 6 and
// 360), and the kind of its readouts. ParaVision's manual, D02_PvParams, "acquisition loop
// nesting", from the innermost:
//   samples, receivers, lines of a train (ACQ_phase_factor), objects (NI), trains, repetitions (NR)
// A stack repeats its shots for each partition: among the lines, shots are the inner loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_parameters.h"

namespace spokelab {

// The data file of the experiment that a path names: its folder (with acqp and method), or fid,
// rawdata.*, traj, acqp or method in it. Nothing for other paths. Never throws.
std::optional<std::filesystem::path> brukerData(const std::filesystem::path& path);

inline constexpr const char* copyBrukerAgain = "Copy the experiment's folder again";

enum class BrukerNumber { int16, int32, float32, float64 };

struct BrukerFiles {
  BrukerParameters acqp, method;
};

struct BrukerLayout {
  BrukerNumber number = BrukerNumber::int32;
  bool bigEndian = false;
  int samples = 0, receivers = 1;  // complex, of a readout
  std::uint64_t blockBytes = 0;    // of a readout with its padding
  std::int64_t train = 1, objects = 1, trains = 1, repetitions = 1;
  int echoes = 1;  // objects are slices x echoes, echoes the inner loop
  bool cartesian = true, spiral = false;
  int dims = 2;                 // of k
  std::int64_t partitions = 1;  // of a stack of shots with a trajectory in the plane
  std::int64_t stored = 0;      // readouts by the list of jobs; 0: it does not say

  std::int64_t lines() const { return train * trains; }
  std::int64_t shots() const { return lines() / partitions; }  // of a partition
  std::int64_t readouts() const { return train * objects * trains * repetitions; }
  std::uint64_t valueBytes() const;  // of a real number

  struct Place {
    std::int64_t line, object, repetition;
  };
  Place placeOf(std::int64_t readout) const;
};

// Throws Error(problem, ...) where parameters are missing, contradict each other, or describe a
// measurement that is not read: EPI, spectroscopy.
BrukerLayout brukerLayout(const BrukerFiles& files, const std::filesystem::path& data, bool hasTrajectory,
                          const std::string& problem);

}  // namespace spokelab
