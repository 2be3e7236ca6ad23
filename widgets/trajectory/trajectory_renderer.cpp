#include "widgets/trajectory/trajectory_renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "widgets/core/colour_map.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

constexpr int depthShades = 16;
constexpr double farthestLight = 0.35;  // brightness of the farthest points
constexpr float behind = 1e5F;          // depth that puts samples behind all others

// One colour table for each depth, so that the inner loop only looks up.
std::vector<QRgb> shadedTable(bool fades) {
  constexpr int entries = ColourMap::sequentialSize;
  std::vector<QRgb> table(std::size_t(entries) * depthShades);
  for (int shade = 0; shade < depthShades; ++shade) {
    const double light = fades ? std::lerp(farthestLight, 1.0, double(shade) / (depthShades - 1)) : 1;
    for (int i = 0; i < entries; ++i)
      table[std::size_t(shade * entries + i)] =
          ColourMap::scaled(trajectoryColour(double(i) / (entries - 1)), int(std::lround(light * 255)));
  }
  return table;
}

// The colour of samples that are not selected: grey, for every meaning of colours.
QRgb fadedColour(int shade) {
  constexpr int dark = 34, light = 54;
  const int grey = dark + (light - dark) * shade / (depthShades - 1);
  return qRgb(grey, grey, grey + 4);
}

// The pixels, what they show and how near it is.
class Canvas {
 public:
  Canvas(const QSize& size, TrajectoryPicture& picture)
      : width_(size.width()), height_(size.height()), picture_(picture) {
    if (picture_.image.size() != size) {
      picture_.image = QImage(size, QImage::Format_ARGB32_Premultiplied);
      picture_.image.fill(Qt::transparent);
      const auto pixels = std::size_t(width_) * std::size_t(height_);
      picture_.sample.assign(pixels, -1);
      picture_.depth.assign(pixels, -std::numeric_limits<float>::infinity());
    }
    colours_ = reinterpret_cast<QRgb*>(picture_.image.bits());
    stride_ = picture_.image.bytesPerLine() / qsizetype(sizeof(QRgb));
  }

  // Draws a square of `side` pixels about (x, y); at equal depth the later one wins.
  void square(double x, double y, int side, float depth, QRgb colour, std::int32_t sample) {
    // Shifted by `side`, so that truncation rounds down at the left and top edge too.
    const double left = x + side / 2.0 + 0.5, top = y + side / 2.0 + 0.5;
    // also not-a-number
    if (!(left > 0 && top > 0 && left < width_ + side && top < height_ + side)) return;
    const int column0 = int(left) - side, row0 = int(top) - side;
    const int x0 = std::max(0, column0), y0 = std::max(0, row0);
    const int x1 = std::min(width_, column0 + side), y1 = std::min(height_, row0 + side);
    for (int row = y0; row < y1; ++row) {
      for (int column = x0; column < x1; ++column) {
        const std::size_t at = std::size_t(row) * std::size_t(width_) + std::size_t(column);
        if (depth < picture_.depth[at]) continue;
        picture_.depth[at] = depth;
        picture_.sample[at] = sample;
        colours_[row * stride_ + column] = colour;
      }
    }
  }

 private:
  int width_, height_;
  TrajectoryPicture& picture_;
  QRgb* colours_ = nullptr;
  qsizetype stride_ = 0;
};

double colourValue(const Trajectory& t, const TrajectoryDrawing& drawing, std::int64_t shot,
                   std::int64_t sample) {
  switch (drawing.colour) {
    case TrajectoryColour::shot:
      return double(shot);
    case TrajectoryColour::time:
      return hasTimes(t) ? t.times[std::size_t(sample)] : double(sample - t.shotOffsets[std::size_t(shot)]);
    case TrajectoryColour::weight:
      return hasWeights(t) ? t.weights[std::size_t(sample)] : 0;
    case TrajectoryColour::density:
    case TrajectoryColour::load:
    case TrajectoryColour::magnitude:
      return drawing.loads ? double((*drawing.loads)[std::size_t(sample)]) : 0;
  }
  return 0;
}

ColourRange rangeOf(const std::vector<double>& values) {
  ColourRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), false};
  double smallestPositive = std::numeric_limits<double>::infinity();
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    range.low = std::min(range.low, v);
    range.high = std::max(range.high, v);
    if (v > 0) smallestPositive = std::min(smallestPositive, v);
  }
  if (range.low > range.high) return {0, 1, false};
  // Values that span more than two decades get a logarithmic scale.
  constexpr double decades = 100;
  if (range.low >= 0 && range.high > decades * smallestPositive)
    return {std::max(smallestPositive, range.high * 1e-6), range.high, true};
  return range;
}

}  // namespace

QPointF KspaceProjection::point(const Vec3& k) const {
  return {centre.x() + scale * dot(axes[0], k), centre.y() - scale * dot(axes[1], k)};
}

double KspaceProjection::depth(const Vec3& k) const {
  return dot(axes[2], k);
}

std::array<Vec3, 3> viewAxes(double azimuth, double elevation) {
  constexpr double toRadians = std::numbers::pi / 180;
  const double a = azimuth * toRadians, e = elevation * toRadians;
  const Vec3 towards{std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
  const Vec3 right{std::cos(a), std::sin(a), 0};
  const Vec3 up{towards[1] * right[2] - towards[2] * right[1], towards[2] * right[0] - towards[0] * right[2],
                towards[0] * right[1] - towards[1] * right[0]};
  return {right, up, towards};
}

double ColourRange::fraction(double value) const {
  if (!(high > low)) return 1;
  const double t = logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low)
                               : (value - low) / (high - low);
  return std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 0;
}

bool hasTimes(const Trajectory& t) {
  return !t.times.empty() && std::int64_t(t.times.size()) >= t.samples();
}

bool hasWeights(const Trajectory& t) {
  return !t.weights.empty() && std::int64_t(t.weights.size()) >= t.samples();
}

ColourRange colourRange(const Trajectory& t, TrajectoryColour colour) {
  if (colour == TrajectoryColour::shot) return {0, double(std::max<std::int64_t>(0, t.shots() - 1)), false};
  // Density, load and magnitude are not in the trajectory: their range follows from the values.
  if (colour >= TrajectoryColour::density) return {};  // counted
  if (colour == TrajectoryColour::weight) return hasWeights(t) ? rangeOf(t.weights) : ColourRange{};
  if (hasTimes(t)) {
    ColourRange range = rangeOf(t.times);
    if (range.logarithmic) range = {0, range.high, false};
    return range;
  }
  std::int64_t longest = 1;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
    longest = std::max(longest, t.shotOffsets[s + 1] - t.shotOffsets[s]);
  return {0, double(longest - 1), false};
}

ColourRange colourRange(const std::vector<float>& loads) {
  return rangeOf({loads.begin(), loads.end()});
}

QRgb trajectoryColour(double fraction) {
  constexpr double darkest = 0.3;  // of the map: below it points vanish on the dark ground
  return ColourMap::sequential(mapColours()).at(std::lerp(darkest, 1.0, std::clamp(fraction, 0.0, 1.0)));
}

Vec3 kspacePoint(const Trajectory& t, std::int64_t sample) {
  Vec3 k{0, 0, 0};
  const int dims = std::min(t.dims, 3);
  for (int d = 0; d < dims; ++d) k[std::size_t(d)] = t.points[std::size_t(sample * t.dims + d)];
  return k;
}

std::int64_t shotOf(const Trajectory& t, std::int64_t sample) {
  const auto after = std::upper_bound(t.shotOffsets.begin(), t.shotOffsets.end(), sample);
  return std::int64_t(after - t.shotOffsets.begin()) - 1;
}

TrajectoryPicture drawTrajectory(const Trajectory& t, const TrajectoryDrawing& drawing) {
  TrajectoryPicture picture;
  drawSamples(t, drawing, 0, t.samples(), picture);
  return picture;
}

void drawSamples(const Trajectory& t, const TrajectoryDrawing& drawing, std::int64_t from, std::int64_t to,
                 TrajectoryPicture& picture) {
  if (drawing.size.isEmpty()) return;
  Canvas canvas(drawing.size, picture);
  const std::int64_t samples = t.samples();
  if (t.dims < 1 || std::int64_t(t.points.size()) < samples * t.dims ||
      samples > std::numeric_limits<std::int32_t>::max())
    return;
  if (drawing.maximumPoints > 0) picture.step = (samples + drawing.maximumPoints - 1) / drawing.maximumPoints;
  picture.step = std::max<std::int64_t>(1, picture.step);

  const bool fades = drawing.depthRadius > 0;
  const std::vector<QRgb> table = shadedTable(fades);
  const auto shadeOf = [&](double depth) {
    if (!fades) return depthShades - 1;
    const double near = (depth / drawing.depthRadius + 1) / 2;
    return near > 0 ? std::min(int(near * depthShades), depthShades - 1) : 0;
  };
  const bool byShot = drawing.colour == TrajectoryColour::shot;
  const auto entryOf = [&](std::int64_t shot, std::int64_t sample) {
    const double fraction = drawing.range.fraction(colourValue(t, drawing, shot, sample));
    return int(fraction * (ColourMap::sequentialSize - 1) + 0.5);
  };
  for (std::int64_t shot = shotOf(t, from); shot < t.shots(); ++shot) {
    const std::int64_t begin = std::max(from, t.shotOffsets[std::size_t(shot)]);
    const std::int64_t end = std::min(to, t.shotOffsets[std::size_t(shot) + 1]);
    if (begin >= to) break;
    int entry = byShot ? entryOf(shot, begin) : 0;
    // The first multiple of the step: the same samples are drawn whatever the shots' lengths.
    for (std::int64_t i = (begin + picture.step - 1) / picture.step * picture.step; i < end;
         i += picture.step) {
      const Vec3 k = kspacePoint(t, i);
      const QPointF at = drawing.projection.point(k);
      const double depth = fades ? drawing.projection.depth(k) : 0;
      if (!byShot) entry = entryOf(shot, i);
      const int shade = shadeOf(depth);
      const bool faded = drawing.chosen && !(*drawing.chosen)[std::size_t(i)];
      const QRgb colour =
          faded ? fadedColour(shade) : table[std::size_t(shade * ColourMap::sequentialSize + entry)];
      canvas.square(at.x(), at.y(), drawing.pointSize, float(depth) - (faded ? behind : 0), colour,
                    std::int32_t(i));
    }
  }
}

std::optional<std::int64_t> sampleNear(const TrajectoryPicture& picture, const QPointF& point, int reach) {
  const int across = picture.image.width(), down = picture.image.height();
  const int x = int(point.x()), y = int(point.y());
  std::int64_t best = -1;
  int nearest = reach * reach + 1;
  for (int row = std::max(0, y - reach); row <= std::min(down - 1, y + reach); ++row) {
    for (int column = std::max(0, x - reach); column <= std::min(across - 1, x + reach); ++column) {
      const std::int32_t sample =
          picture.sample[std::size_t(row) * std::size_t(across) + std::size_t(column)];
      const int distance = (row - y) * (row - y) + (column - x) * (column - x);
      if (sample >= 0 && distance < nearest) {
        nearest = distance;
        best = sample;
      }
    }
  }
  if (best < 0) return std::nullopt;
  return best;
}

}  // namespace spokelab
