// The phantoms and the coil maps that simulated scans use.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/simulate/phantom.h"

namespace spokelab {

Phantom sheppLogan(int dims);  // the modified contrast that shows on a screen
// Groups of four bars, FOV/48 ... FOV/256 wide and as far apart, across x, across y and oblique
// (3-D: across z, too), in a round body: they show how fine an image resolves.
Phantom barPhantom(int dims);
// Smooth, distinct, root sum of squares near 1.
std::vector<CoilMap> modelCoils(int dims, int count);

// Seven tubes that do not touch, each with another tissue (shapeT1, shapeT2).
Phantom tubePhantom(int dims);

enum class PhantomKind { head, bars, tubes };
std::string phantomName(PhantomKind kind);  // "head", "bars", "tubes"
Phantom makePhantom(PhantomKind kind, int dims);

}  // namespace spokelab
