#include "widgets/image/slice/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/orientation.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxSamples = 3;  // along each axis of a thumbnail's pixel

// The voxels that a pixel of the thumbnail averages along one axis.
struct Axis {
  std::int64_t voxels, stride;
  int pixels;
  bool flipped;

  std::int64_t offset(int pixel, std::int64_t sample, std::int64_t samples) const {
    const std::int64_t at = ((pixel * samples + sample) * voxels) / (pixels * samples);
    return (flipped ? voxels - 1 - at : at) * stride;
  }
  std::int64_t samples() const { return std::clamp<std::int64_t>(voxels / pixels, 1, maxSamples); }
};

float meanMagnitude(const cfloat* slice, const Axis& across, const Axis& down, int x, int y) {
  float sum = 0;
  int count = 0;
  for (std::int64_t j = 0; j < down.samples(); ++j)
    for (std::int64_t i = 0; i < across.samples(); ++i) {
      const cfloat v = slice[across.offset(x, i, across.samples()) + down.offset(y, j, down.samples())];
      const float magnitude = std::sqrt(std::norm(v));
      if (!std::isfinite(magnitude)) continue;
      sum += magnitude;
      ++count;
    }
  return count > 0 ? sum / float(count) : 0;
}

// White: just the brightest pixels.
float whiteOf(std::vector<float> values) {
  constexpr double share = 0.99;
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at > 0 ? *at : *std::max_element(at, values.end());
}

}  // namespace

QImage thumbnail(const Image& image, int pixels) {
  if (!isShowable(&image) || pixels < 1) return {};
  const PixelAxes patient = pixelAxes(image);
  const PlaneAxes axes = planeAxes(patient, nativePlane(patient));
  const Index3 strides{1, image.size[0], image.size[0] * image.size[1]};
  const auto size = [&](int axis) { return image.size[std::size_t(axis)]; };
  const auto length = [&](int axis) { return double(size(axis)) * patient.spacing[std::size_t(axis)]; };
  const double longest = std::max(length(axes.across), length(axes.down));
  const auto pixelsOf = [&](int axis) {
    return std::clamp(int(std::lround(pixels * length(axis) / longest)), 1, pixels);
  };
  const auto axisOf = [&](int axis, bool flipped) {
    return Axis{size(axis), strides[std::size_t(axis)], pixelsOf(axis), flipped};
  };
  const Axis across = axisOf(axes.across, axes.flipAcross), down = axisOf(axes.down, axes.flipDown);
  const cfloat* slice = image.frame(0) + size(axes.through) / 2 * strides[std::size_t(axes.through)];

  std::vector<float> values;
  for (int y = 0; y < down.pixels; ++y)
    for (int x = 0; x < across.pixels; ++x) values.push_back(meanMagnitude(slice, across, down, x, y));
  constexpr float white = 255;
  const float high = whiteOf(values);
  QImage picture(across.pixels, down.pixels, QImage::Format_Grayscale8);
  for (int y = 0; y < down.pixels; ++y) {
    uchar* line = picture.scanLine(y);
    for (int x = 0; x < across.pixels; ++x) {
      const float value = high > 0 ? values[std::size_t(y * across.pixels + x)] / high : 0;
      line[x] = uchar(std::lround(white * std::min(value, 1.F)));
    }
  }
  return picture;
}

}  // namespace spokelab
