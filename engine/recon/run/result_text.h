// Results in words: the name that says what one was made with, and what differs between two.
#pragma once

#include <string>
#include <vector>

#include "engine/recon/run/reconstruction.h"

namespace spokelab {

// "gridding α 1.25 W 4", "SENSE TV λ 0.05, 200 iterations"; an image that was not reconstructed has
// the name of its file, or says what it is.
std::string resultTitle(const Reconstruction& result);

struct ResultDifference {
  std::string what, left, right;
  bool operator==(const ResultDifference&) const = default;
};

// Options as they were used, iterations, predicted error, size, where they differ; times always.
// Options of images that were not reconstructed say nothing and are left out.
std::vector<ResultDifference> resultDifferences(const Reconstruction& left, const Reconstruction& right);

}  // namespace spokelab
