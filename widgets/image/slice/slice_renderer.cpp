#include "widgets/image/slice/slice_renderer.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "widgets/image/display/fitting_windows.h"

namespace spokelab {
namespace {

// Pixels of one screen line.
struct Line {
  const cfloat* base;
  std::int64_t count;
};

// Across memory each voxel is a cache miss: fetching a line by itself lets the misses overlap.
void gather(const cfloat* base, std::int64_t step, std::vector<cfloat>& line) {
  for (cfloat& v : line) {
    v = *base;
    base += step;
  }
}

bool finite(cfloat v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}

// Table entry = (value - low) * scale, clamped. A window without width is a step.
struct Lookup {
  float low, scale;
  int last;

  Lookup(const DisplayWindow& window, int size) : low(float(window.low())), last(size - 1) {
    constexpr double steepest = 1e30;
    scale = float(window.width > 0 ? std::min(double(last) / window.width, steepest) : steepest);
  }
  int operator()(float value) const {
    const float entry = (value - low) * scale;
    return entry >= float(last) ? last : entry > 0 ? int(entry + 0.5F) : 0;
  }
};

int phaseEntry(cfloat v) {
  constexpr float entriesPerRadian = float(ColourMap::phaseSize / (2 * std::numbers::pi));
  const float entry = (std::arg(v) + std::numbers::pi_v<float>)*entriesPerRadian + 0.5F;
  return int(entry) & (ColourMap::phaseSize - 1);
}

template <class Value>
void windowed(const Line& line, QRgb* out, const Lookup& lookup, const QRgb* table, QRgb invalid,
              Value value) {
  for (std::int64_t i = 0; i < line.count; ++i) {
    const cfloat v = line.base[i];
    out[i] = finite(v) ? table[lookup(value(v))] : invalid;
  }
}

void phase(const Line& line, QRgb* out, const QRgb* table, QRgb invalid) {
  for (std::int64_t i = 0; i < line.count; ++i) {
    const cfloat v = line.base[i];
    out[i] = finite(v) ? table[phaseEntry(v)] : invalid;
  }
}

void complexColours(const Line& line, QRgb* out, const Lookup& lookup, const QRgb* table, QRgb invalid) {
  for (std::int64_t i = 0; i < line.count; ++i) {
    const cfloat v = line.base[i];
    out[i] = finite(v) ? ColourMap::scaled(table[phaseEntry(v)], lookup(std::sqrt(std::norm(v)))) : invalid;
  }
}

void renderLine(const Line& line, QRgb* out, const SliceRequest& request, const ColourMap& map) {
  const QRgb invalid = ColourMap::invalidColour(request.mode);
  switch (request.mode) {
    case DisplayMode::magnitude:
      return windowed(line, out, Lookup(request.window, map.size()), map.data(), invalid,
                      [](cfloat v) { return std::sqrt(std::norm(v)); });
    case DisplayMode::real:
      return windowed(line, out, Lookup(request.window, map.size()), map.data(), invalid,
                      [](cfloat v) { return v.real(); });
    case DisplayMode::imaginary:
      return windowed(line, out, Lookup(request.window, map.size()), map.data(), invalid,
                      [](cfloat v) { return v.imag(); });
    case DisplayMode::phase:
      return phase(line, out, ColourMap::phase().data(), invalid);
    case DisplayMode::complex:
      return complexColours(line, out, Lookup(request.window, ColourMap::sequentialSize),
                            ColourMap::phase().data(), invalid);
  }
}

}  // namespace

QImage renderSlice(const Image& image, const SliceRequest& request) {
  if (!isShowable(&image) || request.frame < 0 || request.frame >= image.frames) return {};
  const PlaneAxes& axes = request.axes;
  if (request.index < 0 || request.index >= image.size[std::size_t(axes.through)]) return {};

  const Index3 strides{1, image.size[0], image.size[0] * image.size[1]};
  const std::int64_t width = image.size[std::size_t(axes.across)],
                     height = image.size[std::size_t(axes.down)];
  std::int64_t stepAcross = strides[std::size_t(axes.across)], stepDown = strides[std::size_t(axes.down)];
  const cfloat* corner = image.frame(request.frame) + request.index * strides[std::size_t(axes.through)];
  if (axes.flipAcross) {
    corner += (width - 1) * stepAcross;
    stepAcross = -stepAcross;
  }
  if (axes.flipDown) {
    corner += (height - 1) * stepDown;
    stepDown = -stepDown;
  }

  const ColourMap* map = request.map ? request.map : &ColourMap::sequential(QStringLiteral("grey"));
  QImage picture(int(width), int(height), QImage::Format_RGB32);
  std::vector<cfloat> line(static_cast<std::size_t>(width));
  for (std::int64_t row = 0; row < height; ++row) {
    gather(corner + row * stepDown, stepAcross, line);
    renderLine({line.data(), width}, reinterpret_cast<QRgb*>(picture.scanLine(int(row))), request, *map);
  }
  return picture;
}

}  // namespace spokelab
