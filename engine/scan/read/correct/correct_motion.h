// Decision shot-motion: a rigid motion of the object for groups of shots, from a file. Where the
// object is turned by R about the middle of the image and then moved by t, r' = R r + t, the
// samples of a shot are s(k) = e^{-2 pi i k . t} M(R^T k), M the transform of the object that
// rests. The points become R^T k, and the phase is taken from the samples, so that every method
// sees an object at rest. Coil maps and fields are taken to move with the object.
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The file has a row for each group: its shots as a number list, then in 2-D a turn in degrees
// (from x to y) and millimetres along x and y; in 3-D turns about x, y and z, made in this order,
// and millimetres along x, y and z. Axes are the image's; rows that begin with # are remarks.
// Shots are counted from 0 through the trajectories of all frames; shots without a row rest. Throws
// Error.
void correctMotion(Scan& scan, Decisions& d);

}  // namespace spokelab
