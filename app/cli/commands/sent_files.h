// Finds the files on this machine that a command needs when it runs on another machine.
#pragma once

#include <string>
#include <vector>

#include "engine/core/output/job_files.h"

namespace spokelab::cli {

// words: the command and its arguments ("reconstruct", "scan.h5", ...). host: the other machine,
// for messages. Adds the files that the command declares to `files`. Throws Error where it cannot
// be understood, or where an output is an input or cannot be written.
void declareSent(const std::vector<std::string>& words, const std::string& host, JobFiles& files);

}  // namespace spokelab::cli
