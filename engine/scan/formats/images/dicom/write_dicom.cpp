#include "engine/scan/formats/images/dicom/write_dicom.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/staged_folder.h"
#include "engine/core/text.h"
#include "engine/scan/formats/images/dicom/dicom_tags.h"
#include "engine/scan/formats/images/dicom/series_content.h"
#include "engine/scan/formats/images/write_pixels.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxSide = std::numeric_limits<std::uint16_t>::max();

std::string problemOf(const std::filesystem::path& target) {
  return "Cannot write " + target.string();
}

// The module's Errors name no file.
template <class Work>
void named(const std::filesystem::path& target, const Work& work) {
  try {
    work();
  } catch (const Error& e) {
    if (!e.summary().empty()) throw;
    throw Error(problemOf(target), e.reason(), "Free some space or choose another folder");
  }
}

void requireSides(const Image& image, const std::filesystem::path& target) {
  if (image.size[0] > maxSide || image.size[1] > maxSide)
    throw Error(problemOf(target), "DICOM holds at most 65535 pixels along an axis", "Use .npy");
}

// Values [first, first + count) of the image's part.
template <class Use>
void useValues(const Image& image, std::int64_t first, std::int64_t count, ComplexPart part, const Use& use) {
  usePixels(image, first, count, part, [&](const void* bytes, std::size_t) {
    if (image.isDouble())
      use(static_cast<const double*>(bytes));
    else
      use(static_cast<const float*>(bytes));
  });
}

DicomScale scaleOf(const Image& image, ComplexPart part) {
  constexpr double largestSigned = 32767, largestUnsigned = 65535;
  DicomScale scale;
  scale.isSigned = part != ComplexPart::magnitude;
  double largest = 0;
  if (part == ComplexPart::phase) {
    largest = std::numbers::pi;
  } else {
    for (int f = 0; f < image.frames; ++f)
      useValues(image, f * image.volume(), image.volume(), part, [&](const auto* values) {
        for (std::int64_t i = 0; i < image.volume(); ++i)
          if (std::isfinite(values[i])) largest = std::max(largest, std::abs(double(values[i])));
      });
  }
  // The text rounds the slope: a little more room, so that the largest value fits.
  constexpr double rounding = 1 + 1e-9;
  const double steps = scale.isSigned ? largestSigned : largestUnsigned;
  scale.slopeText = decimalText(largest > 0 ? largest * rounding / steps : 1);
  scale.slope = leadingNumber(scale.slopeText);
  scale.largest = largest;
  if (!(scale.slope > 0)) {  // subnormal numbers
    scale.slopeText = "1";
    scale.slope = 1;
  }
  return scale;
}

// Not a number becomes 0, infinite the largest.
void appendWords(const Image& image, std::int64_t first, std::int64_t count, ComplexPart part,
                 const DicomScale& scale, std::vector<std::uint16_t>& words) {
  const double low = scale.isSigned ? -32767 : 0, high = scale.isSigned ? 32767 : 65535;
  useValues(image, first, count, part, [&](const auto* values) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = double(values[i]);
      const double step = std::isnan(value) ? 0 : std::clamp(std::nearbyint(value / scale.slope), low, high);
      words.push_back(std::uint16_t(std::int32_t(step)));
    }
  });
}

WriteOptions withPart(WriteOptions options) {
  if (options.part == ComplexPart::complex) options.part = ComplexPart::magnitude;
  return options;
}

}  // namespace

void writeDicomFile(const Image& image, const ImageFile& file, const WriteOptions& asked,
                    const Progress& progress) {
  const std::string problem = problemOf(file.target);
  constexpr double maxBytes = 4294967294.0, bytesPerPixel = 2;
  requireSides(image, file.target);
  if (bytesPerPixel * double(image.data.size()) > maxBytes)
    throw Error(problem, "one DICOM file holds at most 4 GB of pixels",
                "Write a folder of files: " + file.target.string() + "/");
  const WriteOptions options = withPart(asked);
  const DicomScale scale = scaleOf(image, options.part);
  DicomPixels pixels;
  pixels.isSigned = scale.isSigned;
  pixels.words.reserve(image.data.size());
  for (int f = 0; f < image.frames; ++f) {
    progress.report(double(f) / double(image.frames), "Writing");
    appendWords(image, f * image.volume(), image.volume(), options.part, scale, pixels.words);
  }
  named(file.target, [&] {
    dicomModule(problem).write(file.temporary.string(), enhancedContent(image, options, scale), pixels);
  });
}

void writeDicomSeries(const Image& image, const std::filesystem::path& folder, const WriteOptions& asked,
                      const Progress& progress) {
  requireSides(image, folder);
  StagedFolder staged(folder);
  const WriteOptions options = withPart(asked);
  const DicomScale scale = scaleOf(image, options.part);
  const DicomSeries series;
  const std::int64_t slices = image.size[2], count = image.frames * slices;
  const std::int64_t pixelsOfSlice = image.size[0] * image.size[1];
  const auto padded = [](std::int64_t number, std::int64_t of) {
    const std::string digits = std::to_string(number);
    return std::string(std::to_string(of).size() - digits.size(), '0') + digits;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    progress.report(double(i) / double(count), "Writing");
    const std::int64_t frame = i / slices, slice = i % slices;
    const std::string name = dicomFilePrefix + padded(frame + 1, image.frames) + "_slice" +
                             padded(slice + 1, slices) + dicomFileSuffix;
    DicomPixels pixels;
    pixels.isSigned = scale.isSigned;
    appendWords(image, i * pixelsOfSlice, pixelsOfSlice, options.part, scale, pixels.words);
    named(folder / name, [&] {
      dicomModule(problemOf(folder / name))
          .write((staged.path() / name).string(),
                 classicContent(image, {series, options, scale}, int(frame), slice), pixels);
    });
  }
  progress.report(1, "Wrote " + folder.string());  // the last chance to cancel
  staged.commit();
}

}  // namespace spokelab
