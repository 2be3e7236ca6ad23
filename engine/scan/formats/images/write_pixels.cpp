#include "engine/scan/formats/images/write_pixels.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are written in the machine's byte order");

constexpr std::int64_t chunkPixelsPerThread = 1 << 17;  // some blocks to compress for each core
constexpr std::int64_t pixelsPerTask = 1 << 15;

}  // namespace

template <class Real>
Real partOf(const std::complex<Real>& value, ComplexPart part) {
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
template float partOf(const cfloat&, ComplexPart);
template double partOf(const cdouble&, ComplexPart);

void usePixels(const Image& image, std::int64_t first, std::int64_t count, ComplexPart part,
               const std::function<void(const void*, std::size_t)>& use) {
  const auto convert = [&]<class Real>(const std::complex<Real>* pixels) {
    if (part == ComplexPart::complex) return use(pixels + first, std::size_t(count) * sizeof *pixels);
    Buffer<Real> values(static_cast<std::size_t>(count));
    parallelFor(count, 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      std::transform(pixels + first + begin, pixels + first + end, values.begin() + begin,
                     [&](const std::complex<Real>& v) { return partOf(v, part); });
    });
    use(values.data(), values.size() * sizeof(Real));
  };
  std::visit(convert, image.values());
}

void writePixels(const Image& image, ByteSink& sink, ComplexPart part, const Progress& progress) {
  const auto total = std::int64_t(image.data.size());
  const std::int64_t chunkPixels = chunkPixelsPerThread * hardwareThreads();
  for (std::int64_t start = 0; start < total; start += chunkPixels) {
    progress.report(double(start) / double(total), "Writing");
    usePixels(image, start, std::min(chunkPixels, total - start), part,
              [&](const void* bytes, std::size_t size) { sink.write(bytes, size); });
  }
}

}  // namespace spokelab
