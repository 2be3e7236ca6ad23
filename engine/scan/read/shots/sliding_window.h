// Frames of a continuous measurement: windows of consecutive shots that may overlap, as
// golden-angle spokes are reconstructed in real time. Frame f holds the shots f step ... f step +
// window - 1.
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// True if windows are requested. The decision read-frames then counts windows.
bool slidesWindow(const Decisions& d);

// Cuts the only frame of a scan as decision sliding-window asks: "34,13" are the shots of a window,
// and those from one window to the next ("34": without overlap). Shots that do not fill a window
// are left out, and so are windows that are not among `frames` (a number list; empty: all). The
// file's density weights, areas of the whole pattern, are dropped. Throws Error: no such window,
// several frames, or no memory for the copies.
void slideWindow(Scan& scan, const std::string& frames, Decisions& d);

}  // namespace spokelab
