// A command of this program that runs on another machine: which files of this one it needs.
#pragma once

#include <string>
#include <vector>

#include "engine/core/output/job_files.h"

namespace spokelab::cli {

// words: the command and its arguments ("reconstruct", "scan.h5", ...). Adds what it reads and
// writes to `files`, as the command itself says. Throws Error where it cannot be understood, or
// where an output is an input or cannot be written.
void declareSent(const std::vector<std::string>& words, const std::string& host, JobFiles& files);

}  // namespace spokelab::cli
