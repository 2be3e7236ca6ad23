// Plans and rows in words, for people.
#pragma once

#include <string>

#include "engine/nufft/tune/result/candidate.h"

namespace spokelab::cli {

// "cpu blocked, alpha 1.25, W 5.31, grid 320 x 320"
std::string planText(const Candidate& candidate);
// ", task graph, normal toeplitz (alpha_T 2.06)", or nothing
std::string variantText(const NufftOptions& options);
// "  name        value"
std::string row(const std::string& name, const std::string& value);

}  // namespace spokelab::cli
