// The places of slices and frames of the ranks' parts of an image, put together.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

// Directions and positions of a part: [frame, slice or volume].
nlohmann::json placesOf(const Geometry& part, int frames);

// Sets the places of the whole image from its parts', which `ofFrames` divide frames, else slices;
// `numbers`: frames (slices) of each part in the whole.
void takePlaces(const std::vector<nlohmann::json>& places, const std::vector<std::vector<int>>& numbers,
                bool ofFrames, Geometry& whole);

}  // namespace spokelab
