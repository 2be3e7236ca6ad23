// Numeric data sets of MATLAB 7.3 files (HDF5) whose class the matio library does not understand:
// other programs pad the attribute MATLAB_class with zeros, or leave it out. Runs in the child
// process of mat_worker.h.
#pragma once

#include <optional>
#include <string>

#include "engine/core/child/child_process.h"
#include "engine/scan/formats/arrays/mat_worker.h"

namespace spokelab {

// Type and sizes (MATLAB's order, first one fastest) of a data set at the top of the file; nothing
// if the file is not HDF5 or the data set does not hold numbers.
std::optional<MatFrame> matDataset(const std::string& file, const std::string& name);

// Sends its numbers as `values` messages. Throws Error (`problem`).
void sendMatDataset(const std::string& file, const std::string& name, const std::string& problem,
                    FrameSender& sender);

}  // namespace spokelab
