// Reads a trajectory from a separate file, for samples of another: an array (.npy, .cfl,
// file.npz:array, file.mat:variable, file.h5:dataset), a description of arrays, SPARKLING's .bin,
// a Pulseq sequence, an ISMRMRD file or stream, or an HDF5 file of a known layout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {

struct GivenTrajectory {
  std::string name;                  // of the file
  std::string unit;                  // of k, as the decision k-unit names it; empty: not known
  std::vector<std::int64_t> matrix;  // where the file says it, else empty
  std::vector<double> fov;           // mm, the same
  int columns = 0;
  std::vector<std::int64_t> shotLengths;  // in samples; one entry for a plain list of points
  bool hasShots = false;                  // false: a plain list of points
  // The axes of a plain array. An array with 2 to 4 numbers along its first as well as its last
  // axis has two entries, as either can hold the columns; `values` follow the first one.
  struct Array {
    int column = -1;                  // axis, as the format counts; -1: complex numbers
    bool columnFirst = false;         // the outermost axis
    std::vector<std::int64_t> sizes;  // outermost first, without sizes of 1
  };
  std::vector<Array> arrays;
  bool acquired = false;       // shots of acquisitions, in their order
  std::vector<double> values;  // [sample, column]
  // The next two are a sequence's; empty for other files.
  std::vector<std::map<std::string, int>> labels;  // [shot]: Pulseq's counters
  std::vector<double> dwells;                      // [shot]: s
  std::string remark;                              // on its origin
  // True if the sequence's gradients went through an impulse response; points moved by so much.
  bool gradientsRespond = false;
  double girfMoves = 0;  // 1/m, rms

  std::int64_t samples() const { return std::int64_t(values.size()) / columns; }
  // The product of an array's axes before shots and samples: frames or slices with separate shots.
  std::int64_t groups() const;
  std::string sizeText() const;  // "100 shots x 128 samples"
  // For an array [sample, shot]: makes its shots of samples.
  void turn();
  // [shot, sample, column] where all shots have the same length, else [sample, column].
  std::shared_ptr<const MemoryArray> array() const;
};

// The array of a file of arrays that is its trajectory: the file's only one that can be, or the one
// so called. Nothing for acquisitions, SPARKLING's .bin, known layouts and descriptions. Throws
// Error.
std::optional<std::filesystem::path> trajectoryArray(const std::filesystem::path& file,
                                                     const Progress& progress);

// `lengths`: numbers of samples that a shot of the scan may have, the likeliest first, for a file
// that can give any (SPARKLING). `shots`: their number, 0 where it is not known (a sequence may
// hold more). `column`: the axis of an array that has the columns, where it is known. `girf`: of
// a sequence's gradients (sequence_trajectory.h). Throws Error, Cancelled.
GivenTrajectory readGivenTrajectory(const std::filesystem::path& file,
                                    const std::vector<std::int64_t>& lengths, std::int64_t shots,
                                    const Progress& progress, std::optional<int> column = std::nullopt,
                                    const std::filesystem::path& girf = {});

// Density weights, shot by shot. An array [sample, shot] is turned if its sizes tell.
std::vector<double> readGivenNumbers(const std::filesystem::path& file, std::int64_t shotLength,
                                     const Progress& progress);

}  // namespace spokelab
