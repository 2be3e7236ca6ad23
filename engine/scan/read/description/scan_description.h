// The small JSON beside plain arrays (.npy, .cfl) that makes a scan of them: the files and their
// roles, the names of their axes, and the units. The reader finds everything else from the data, as
// for other files.
//
//   { "spokelab-scan": 1,
//     "samples":    {"file": "ksp.npy", "axes": ["coil", "shot", "sample"]},
//     "trajectory": {"file": "traj.npy", "axes": ["shot", "sample", "column"],
//                    "columns": ["kx", "ky"], "unit": "cycles/FOV"},
//     "weights":    {"file": "dcf.npy", "axes": ["shot", "sample"]},
//     "times":      {"file": "t.npy", "axes": ["sample"], "unit": "s"},
//     "noise":      {"file": "noise.npy"},
//     "matrix": [256, 256], "fov_mm": [240, 240, 5], "dwell_us": 5, "samples_per_shot": 0,
//     "read_direction": [1, 0, 0], "phase_direction": [0, 1, 0], "slice_direction": [0, 0, 1],
//     "positions_mm": [[0, 0, 0]], "echo_times_ms": [1.2, 4.9],
//     "or": [{"samples": ["slice", "shot", "sample"]}],
//     "arrays": {"FieldMap": {"file": "FM.npy"}} }
//
// Axes, in the file's order (NumPy's or BART's): time, echo, phase, average, set, segment (each
// makes frames; frame: another kind of frame), slice, coil, partition (kz, if the trajectory has
// none), shot, sample, column, complex (real and imaginary parts), one (size 1). shot and coil may
// occur twice. Weights hold along axes that they lack. "or" lists other possible axes: all are
// guesses then, and the reader asks (decision array-axes). "echo_times_ms" and "frame_times_s" are
// the values of the axes echo and time. "trajectory" may list one file a column: "files":
// ["kx.npy", "ky.npy"]. Columns: kx, ky, kz, weight, time, ignore, and kx+iky for complex numbers.
// k has the units of the decision k-unit. A file with several arrays is named with one of them:
// "scan.npz:ksp", "scan.h5:kspace". Samples may be an ISMRMRD file; the trajectory may be one, too,
// or SPARKLING's .bin. A .cfl without its .hdr has its "shape" beside its "axes", fastest first.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/read/description/axes_reading.h"

namespace spokelab {

inline constexpr const char* complexColumn = "kx+iky";

struct ArrayPart {
  std::filesystem::path file;  // as written: relative to the description's folder
  std::vector<std::string> axes;
  std::vector<std::int64_t> shape;  // of a .cfl without .hdr; else empty
  // Numbers that a reader made from the file; else null, and the file is an array.
  std::shared_ptr<const MemoryArray> memory = nullptr;
};

struct ScanDescription {
  std::filesystem::path folder;
  ArrayPart samples;
  std::vector<ArrayPart> trajectory;  // one with a column axis, or one for each column
  std::vector<std::string> columns;   // empty: to be found out
  std::string unit;                   // empty: to be found out
  std::optional<ArrayPart> weights, times, noise;
  double timeUnit = 1;  // seconds
  std::vector<std::int64_t> matrix;
  std::vector<double> fov;  // mm
  double dwellSeconds = 0;
  std::int64_t samplesPerShot = 0;  // where no axis is called shot; 0: unknown
  std::optional<std::array<Vec3, 3>> directions;
  std::vector<Vec3> positions;                // mm, one a slice or one for all
  std::vector<double> echoTimes, frameTimes;  // s, of the axes echo and time; empty: unknown
  std::vector<AxesReading> otherAxes;         // that are possible, too: the axes are a guess
  std::map<std::string, ArrayPart> arrays;

  // Every array that the description names.
  std::vector<ArrayPart> parts() const;
};

// Throws Error (`problem` is its summary) if the text is not such a JSON, or has unknown keys or
// axes.
ScanDescription parseScanDescription(const std::string& text, const std::filesystem::path& folder,
                                     const std::string& problem);
std::string scanDescriptionText(const ScanDescription& description);

}  // namespace spokelab
