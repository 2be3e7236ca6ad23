// Writes and reads frame axes (frame_axes.h) in image files: text, JSON, picture names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/scan/scan.h"

namespace spokelab {

// The image's provenance, and "frame 1: echo 2 of 5, TE 4.9 ms" for each frame that is known.
std::vector<std::string> describedLines(const Image& image);

// {"axes": [{"name": "echo", "size": 5, "values": [...], "unit": "s"}], "frames":
// ["echo 1 of 5, ..."], "places": [[0], [1], ...]}; an empty object where nothing is known.
nlohmann::json frameAxesJson(const FrameAxes& axes);
// The axes that such an object describes; nothing if it is malformed or does not fit the frames.
std::optional<FrameAxes> frameAxesOf(const nlohmann::json& object, int frames);

// First value and even step along the image's only axis of frames; nothing where there are several
// axes, no values, or steps that differ by more than a part in a thousand.
struct FrameStep {
  double first = 0, step = 0;  // s
};
std::optional<FrameStep> evenFrameStep(const FrameAxes& axes);

}  // namespace spokelab
