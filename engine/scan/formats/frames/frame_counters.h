// The counters of ISMRMRD's acquisition headers that tell frames apart (frame_axes.h).
#pragma once

#include <ismrmrd/ismrmrd.h>

#include "engine/scan/frame_axes.h"

namespace spokelab {

using FrameCounter = std::uint16_t ISMRMRD::ISMRMRD_EncodingCounters::*;

// frame and time: repetition. echo: contrast. The others have counters of their names.
FrameCounter frameCounter(FrameMeaning meaning);

// Counts the frame along its axes; a frame without axes is a repetition.
void countFrame(ISMRMRD::ISMRMRD_EncodingCounters& idx, const FrameAxes& axes, int frame);

}  // namespace spokelab
