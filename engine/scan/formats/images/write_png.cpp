// 8-bit PNG pictures: grey for magnitude, real and imaginary part; phase on a cyclic colour map
// fixed at -pi ... pi. A montage of the first frame's slices, row by row, or one picture for each
// frame and slice. Pixel sizes go into pHYs, the provenance into a comment.
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/core/staged_folder.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/image_writers.h"
#include "engine/scan/formats/images/write_pixels.h"

namespace spokelab {
namespace {

constexpr double windowPercentile = 0.995;
constexpr double white = 255;
constexpr std::int64_t picturesPerThread = 4;  // between two reports

struct Montage {
  std::int64_t columns, rows, width, height;
};

Montage montageOf(const Image& image) {
  const auto columns = std::int64_t(std::ceil(std::sqrt(double(image.size[2]))));
  const std::int64_t rows = (image.size[2] + columns - 1) / columns;
  return {columns, rows, columns * image.size[0], rows * image.size[1]};
}

double percentileMagnitude(const cfloat* pixels, std::int64_t count) {
  constexpr std::int64_t pixelsPerTask = 1 << 15;
  Buffer<float> magnitudes(static_cast<std::size_t>(count));
  parallelFor(count, 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
    std::transform(pixels + begin, pixels + end, magnitudes.begin() + begin, [](const cfloat& v) {
      const float m = std::abs(v);
      return std::isfinite(m) ? m : 0.0f;
    });
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

struct Greys {
  double window = 0, low = 0;
};

// 0 ... 99.5th percentile of the first `count` pixels, or as asked for.
Greys greysFor(const WriteOptions& options, const cfloat* pixels, std::int64_t count) {
  const bool isSigned = options.part == ComplexPart::real || options.part == ComplexPart::imaginary;
  double window = options.window, level = options.level;
  if (!(window > 0)) {
    const double top = percentileMagnitude(pixels, count);
    window = isSigned ? 2 * top : top;
    level = isSigned ? 0 : top / 2;
  }
  return {window, level - window / 2};
}

struct Picture {
  Picture(std::int64_t w, std::int64_t h, bool c)
      : width(w), height(h), colour(c), bytes(std::size_t(w * h * (c ? 3 : 1)), png_byte(0)) {}
  std::int64_t width, height;
  bool colour;
  std::vector<png_byte> bytes;
};

// One slice, its corner at (left, top).
void drawSlice(const cfloat* pixels, const Index3& size, ComplexPart part, const Greys& greys,
               Picture& picture, std::int64_t left, std::int64_t top) {
  const std::int64_t channels = picture.colour ? 3 : 1;
  for (std::int64_t y = 0; y < size[1]; ++y)
    for (std::int64_t x = 0; x < size[0]; ++x) {
      const cfloat v = pixels[y * size[0] + x];
      png_byte* out = picture.bytes.data() + ((top + y) * picture.width + left + x) * channels;
      if (picture.colour)
        cyclicColour(double(std::arg(v)), out);
      else
        *out = level8(greys.window > 0 ? (double(partOf(v, part)) - greys.low) / greys.window : 0);
    }
}

void appendBig32(std::vector<png_byte>& out, std::size_t n) {
  for (const int shift : {24, 16, 8, 0}) out.push_back(png_byte((n >> shift) & 0xff));
}

void appendChunk(std::vector<png_byte>& out, const std::string& name, const std::vector<png_byte>& body) {
  appendBig32(out, body.size());
  const std::size_t start = out.size();
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), body.begin(), body.end());
  appendBig32(out, crc32(0, out.data() + start, uInt(out.size() - start)));
}

// Pixel sizes and provenance, as chunks.
std::vector<png_byte> chunksOf(const Image& image) {
  constexpr double millimetresPerMetre = 1000;
  constexpr png_byte perMetre = 1;
  std::vector<png_byte> chunks, body;
  const Vec3 voxel = image.geometry.voxel();
  if (!image.geometry.nominal && voxel[0] > 0 && voxel[1] > 0) {
    appendBig32(body, std::size_t(std::lround(millimetresPerMetre / voxel[0])));
    appendBig32(body, std::size_t(std::lround(millimetresPerMetre / voxel[1])));
    body.push_back(perMetre);
    appendChunk(chunks, "pHYs", body);
  }
  std::string text;
  for (const std::string& line : describedLines(image)) text += (text.empty() ? "" : "\n") + line;
  if (text.empty()) return chunks;
  const std::string keyword = "Comment";
  body.assign(keyword.begin(), keyword.end());
  for (int i = 0; i < 5; ++i)
    body.push_back(0);  // end of keyword; not compressed; no language, no translation
  body.insert(body.end(), text.begin(), text.end());
  appendChunk(chunks, "iTXt", body);
  return chunks;
}

void encode(const Picture& picture, const std::vector<png_byte>& chunks, const std::filesystem::path& file,
            const std::filesystem::path& target) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png_uint_32(picture.width);
  png.height = png_uint_32(picture.height);
  png.format = picture.colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<png_byte> encoded(bytes);
  if (!png_image_write_to_memory(&png, encoded.data(), &bytes, 0, picture.bytes.data(), 0, nullptr))
    throw Error("Cannot write " + target.string(), png.message, "Use .nii.gz or .npy for large images");
  constexpr std::size_t afterHeader = 8 + 25;  // signature and IHDR
  ByteSink sink(file, target, false);
  sink.write(encoded.data(), afterHeader);
  if (!chunks.empty()) sink.write(chunks.data(), chunks.size());
  sink.write(encoded.data() + afterHeader, bytes - afterHeader);
  sink.close();
}

// "frame012_slice03.png", or "frame1_echo2_slice03.png" where the frames are known
std::string pictureName(const Image& image, int frame, std::int64_t slice) {
  const int frames = image.frames;
  const std::int64_t slices = image.size[2];
  const auto padded = [](std::int64_t n, std::int64_t count) {
    const std::string text = std::to_string(n), last = std::to_string(count - 1);
    return std::string(last.size() - text.size(), '0') + text;
  };
  const std::string word = image.frameAxes.word(frame);
  return "frame" + padded(frame, frames) + (word.empty() ? "" : "_" + word) + "_slice" +
         padded(slice, slices) + ".png";
}

}  // namespace

void writePng(const Image& image, const ImageFile& file, const WriteOptions& options,
              const Progress& progress) {
  const Montage m = montageOf(image);
  const Greys greys = greysFor(options, image.frame(0), image.volume());
  Picture picture(m.width, m.height, options.part == ComplexPart::phase);
  for (std::int64_t z = 0; z < image.size[2]; ++z) {
    progress.report(0.5 * double(z) / double(image.size[2]), "Drawing slices");
    drawSlice(image.frame(0) + z * image.size[0] * image.size[1], image.size, options.part, greys, picture,
              z % m.columns * image.size[0], z / m.columns * image.size[1]);
  }
  progress.report(0.9, "Writing");
  encode(picture, chunksOf(image), file.temporary, file.target);
}

void writePngSequence(const Image& image, const std::filesystem::path& folder, const WriteOptions& options,
                      const Progress& progress) {
  StagedFolder staged(folder);
  const Greys greys = greysFor(options, image.data.data(), std::int64_t(image.data.size()));
  const std::vector<png_byte> chunks = chunksOf(image);
  const std::int64_t pixels = image.size[0] * image.size[1], pictures = image.frames * image.size[2];
  const auto write = [&](std::int64_t i) {
    progress.checkpoint();
    Picture picture(image.size[0], image.size[1], options.part == ComplexPart::phase);
    drawSlice(image.data.data() + i * pixels, image.size, options.part, greys, picture, 0, 0);
    const std::string name = pictureName(image, int(i / image.size[2]), i % image.size[2]);
    encode(picture, chunks, staged.path() / name, folder / name);
  };
  const std::int64_t atOnce = picturesPerThread * hardwareThreads();
  for (std::int64_t first = 0; first < pictures; first += atOnce) {
    progress.report(double(first) / double(pictures), "Writing pictures");
    parallelTasks(std::min(atOnce, pictures - first), 0, [&](std::int64_t i) { write(first + i); });
  }
  progress.report(1, "Wrote " + folder.string());  // the last chance to cancel
  staged.commit();
}

}  // namespace spokelab
