// The pixels of an image as bytes.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {

// One real part of a pixel; `complex` counts as magnitude.
float partOf(const cfloat& value, ComplexPart part);

// All pixels in memory order, as complex64 or, where a real part is asked for, float32.
void writePixels(const Image& image, ByteSink& sink, ComplexPart part, const Progress& progress);

}  // namespace spokelab
