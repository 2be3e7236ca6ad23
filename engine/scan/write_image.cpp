#include "engine/scan/write_image.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include "engine/core/atomic_file.h"
#include "engine/scan/byte_sink.h"
#include "engine/scan/image_writers.h"

namespace spokelab {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are written in the machine's byte order");

constexpr std::int64_t chunkPixels = 1 << 18;

bool endsWith(const std::filesystem::path& file, const std::string& extension) {
  std::string name = file.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return name.size() > extension.size() && name.ends_with(extension);
}

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

void writeImage(const Image& image, const std::filesystem::path& file, const WriteOptions& options,
                const Progress& progress) {
  const std::string problem = "Cannot write " + file.string();
  for (std::int64_t n : image.size)
    if (n < 1) throw Error(problem, "the image is empty", "Reconstruct first");
  if (image.frames < 1 || std::int64_t(image.data.size()) != image.frames * image.volume())
    throw Error(problem, "the image's data do not fit its size", "");

  const bool gzip = endsWith(file, ".nii.gz");
  const bool nifti = gzip || endsWith(file, ".nii");
  const bool npy = endsWith(file, ".npy"), png = endsWith(file, ".png");
  if (!nifti && !npy && !png)
    throw Error(problem, "the extension says no known format", "Use .nii.gz, .nii, .npy or .png");
  progress.report(0, "Writing " + file.filename().string());
  AtomicFile atomic(file);
  const ImageFile target{atomic.path(), file};
  if (nifti)
    writeNifti(image, target, gzip, options, progress);
  else if (npy)
    writeNpy(image, target, options, progress);
  else
    writePng(image, target, options, progress);
  progress.report(1, "Wrote " + file.filename().string());  // the last chance to cancel
  atomic.commit();
}

}  // namespace spokelab
