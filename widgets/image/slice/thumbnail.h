// A small picture of an image for lists: the magnitude of its middle slice, in patient orientation.
#pragma once

#include <QImage>

#include "engine/scan/scan.h"

namespace spokelab {

// At most `pixels` wide and high, grey. Takes a bounded number of voxels, whatever the image's
// size; a null picture where there is nothing to show.
QImage thumbnail(const Image& image, int pixels);

}  // namespace spokelab
