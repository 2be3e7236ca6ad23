// The pixels of an image as bytes.
#pragma once

#include <functional>

#include "engine/core/progress.h"
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {

// One real part of a pixel; `complex` counts as magnitude.
template <class Real>
Real partOf(const std::complex<Real>& value, ComplexPart part);

// Calls use(bytes, count of bytes) for `count` pixels from `first` on, in memory order: complex64
// or float32, complex128 or float64 where the image is in double precision.
void usePixels(const Image& image, std::int64_t first, std::int64_t count, ComplexPart part,
               const std::function<void(const void*, std::size_t)>& use);

// Writes all pixels.
void writePixels(const Image& image, ByteSink& sink, ComplexPart part, const Progress& progress);

}  // namespace spokelab
