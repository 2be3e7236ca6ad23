// A job's plan in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// "1.2 GB of memory, 800 MB on the device".
std::string memoryText(const JobMemory& memory);

// Names and texts in the order to show: what is reconstructed, what is solved together, what is
// worked on at a time, what can be divided, and the memory it takes.
std::vector<std::pair<std::string, std::string>> jobRows(const JobPlan& plan);

}  // namespace spokelab
