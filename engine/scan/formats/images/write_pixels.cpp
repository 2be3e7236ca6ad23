#include "engine/scan/formats/images/write_pixels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace spokelab {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are written in the machine's byte order");

constexpr std::int64_t chunkPixels = 1 << 18;

}  // namespace

float partOf(const cfloat& value, ComplexPart part) {
  switch (part) {
    case ComplexPart::phase:
      return std::arg(value);
    case ComplexPart::real:
      return value.real();
    case ComplexPart::imaginary:
      return value.imag();
    default:
      return std::abs(value);
  }
}

void writePixels(const Image& image, ByteSink& sink, ComplexPart part, const Progress& progress) {
  const auto total = std::int64_t(image.data.size());
  std::vector<float> values;
  for (std::int64_t start = 0; start < total; start += chunkPixels) {
    progress.report(double(start) / double(total), "Writing");
    const std::int64_t count = std::min(chunkPixels, total - start);
    const cfloat* pixels = image.data.data() + start;
    if (part == ComplexPart::complex) {
      sink.write(pixels, std::size_t(count) * sizeof(cfloat));
      continue;
    }
    values.resize(std::size_t(count));
    std::transform(pixels, pixels + count, values.begin(), [&](const cfloat& v) { return partOf(v, part); });
    sink.write(values.data(), values.size() * sizeof(float));
  }
}

}  // namespace spokelab
