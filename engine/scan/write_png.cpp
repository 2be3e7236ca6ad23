// A montage of the first frame's slices, row by row, as an 8-bit PNG: grey for magnitude, real and imaginary
// part; phase on a cyclic colour map fixed at -pi ... pi.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/scan/byte_sink.h"
#include "engine/scan/image_writers.h"

namespace spokelab {
namespace {

constexpr double windowPercentile = 0.995;
constexpr double white = 255;

struct Montage {
  std::int64_t columns, rows, width, height;
};

Montage montageOf(const Image& image) {
  const auto columns = std::int64_t(std::ceil(std::sqrt(double(image.size[2]))));
  const std::int64_t rows = (image.size[2] + columns - 1) / columns;
  return {columns, rows, columns * image.size[0], rows * image.size[1]};
}

double percentileMagnitude(const cfloat* pixels, std::int64_t count) {
  std::vector<float> magnitudes(static_cast<std::size_t>(count));
  std::transform(pixels, pixels + count, magnitudes.begin(), [](const cfloat& v) {
    const float m = std::abs(v);
    return std::isfinite(m) ? m : 0.0f;
  });
  const auto at = magnitudes.begin() + std::int64_t(windowPercentile * double(count - 1));
  std::nth_element(magnitudes.begin(), at, magnitudes.end());
  return double(*at);
}

png_byte level8(double v) {
  return png_byte(std::lround(white * std::clamp(std::isfinite(v) ? v : 0, 0.0, 1.0)));
}

// Three cosines, a third of a turn apart: the same colour at both ends, red at 0.
void cyclicColour(double phase, png_byte* rgb) {
  for (int channel = 0; channel < 3; ++channel)
    rgb[channel] = level8(0.5 + 0.5 * std::cos(phase - 2 * std::numbers::pi * channel / 3));
}

}  // namespace

void writePng(const Image& image, const ImageFile& file, const WriteOptions& options,
              const Progress& progress) {
  const Montage m = montageOf(image);
  const bool colour = options.part == ComplexPart::phase;
  const bool isSigned = options.part == ComplexPart::real || options.part == ComplexPart::imaginary;
  const cfloat* pixels = image.frame(0);
  double window = options.window, level = options.level;
  if (!(window > 0)) {
    const double top = percentileMagnitude(pixels, image.volume());
    window = isSigned ? 2 * top : top;
    level = isSigned ? 0 : top / 2;
  }
  const double low = level - window / 2;
  const int channels = colour ? 3 : 1;
  std::vector<png_byte> picture(std::size_t(m.width * m.height * channels), png_byte(0));
  for (std::int64_t z = 0; z < image.size[2]; ++z) {
    progress.report(0.5 * double(z) / double(image.size[2]), "Drawing slices");
    for (std::int64_t y = 0; y < image.size[1]; ++y)
      for (std::int64_t x = 0; x < image.size[0]; ++x) {
        const cfloat v = pixels[(z * image.size[1] + y) * image.size[0] + x];
        const std::int64_t row = z / m.columns * image.size[1] + y,
                           column = z % m.columns * image.size[0] + x;
        png_byte* out = picture.data() + (row * m.width + column) * channels;
        if (colour)
          cyclicColour(double(std::arg(v)), out);
        else
          *out = level8(window > 0 ? (double(partOf(v, options.part)) - low) / window : 0);
      }
  }

  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png_uint_32(m.width);
  png.height = png_uint_32(m.height);
  png.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  const auto fail = [&] {
    throw Error("Cannot write " + file.target.string(), png.message, "Use .nii.gz or .npy for large images");
  };
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<png_byte> encoded(bytes);
  if (!png_image_write_to_memory(&png, encoded.data(), &bytes, 0, picture.data(), 0, nullptr)) fail();
  progress.report(0.9, "Writing");
  ByteSink sink(file.temporary, file.target, false);
  sink.write(encoded.data(), bytes);
  sink.close();
}

}  // namespace spokelab
