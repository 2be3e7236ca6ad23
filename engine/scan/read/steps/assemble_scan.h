// From the steps' findings to the Scan. Each step looks at something that the file leaves open,
// decides it with its evidence, and hands a value to the next: header -> selection -> raw
// trajectory -> columns -> range -> axes -> space -> groups -> Scan. Plain arrays (read_arrays.cpp)
// take the same road from the columns on. Nothing here depends on where the samples come from.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/scan/read/steps/group_frames.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct Interpretation {
  Selection selection;
  RawTrajectory raw;
  Columns columns;
  ImageSpace space;
  Groups groups;
  bool doubleSamples = false;  // the file's numbers may not fit into floats
};

// Runs decideColumns() to groupAcquisitions(); `in` has its selection and trajectory.
void interpret(Interpretation& in, const std::vector<AcquisitionHead>& heads, const MrdHeader& header,
               Decisions& d);

// Everything but the samples, for which it makes room after checking the memory.
std::shared_ptr<Scan> assembleScan(const Interpretation& in, const std::vector<AcquisitionHead>& heads,
                                   const std::filesystem::path& file, Decisions& d, const Progress& progress);

// An imaging acquisition's place in the scan. first: its first sample in the frame's trajectory.
struct Place {
  int frame = -1, slice = 0;  // frame -1: not used
  std::int64_t first = 0;
};
// A place for each entry of Selection::imaging.
std::vector<Place> placesOf(const Interpretation& in, const Scan& scan);

// Checks the samples once they are read, and corrects them.
void finishScan(Scan& scan, const Interpretation& in, const std::vector<AcquisitionHead>& heads, Decisions& d,
                bool samplesAreFinite, const Progress& progress);

}  // namespace spokelab
