// Draws the points of a trajectory into a picture, and remembers which sample each pixel shows.
// Orthographic projection of k-space (cycles/FOV): azimuth turns about kz, elevation rises over the
// kx-ky plane; at elevation 90 degrees kx points right and ky up, at 0 kx points right and kz up.
// Nearer points hide farther ones.
#pragma once

#include <optional>
#include <vector>

#include <QImage>
#include <QPointF>

#include "engine/scan/scan.h"

namespace spokelab {

// density: samples in the sample's cell of the Nyquist grid; load: in its tile of a plan
// (engine/recon/prepare/sample_load.h); magnitude: root of the sum of |y|^2 over coils.
enum class TrajectoryColour { shot, time, weight, density, load, magnitude };

struct KspaceProjection {
  // right, up, towards the viewer, in k-space
  std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  double scale = 1;  // pixels a cycle/FOV
  QPointF centre;    // of k = 0

  QPointF point(const Vec3& k) const;
  double depth(const Vec3& k) const;  // larger is nearer
};

// azimuth, elevation in degrees.
std::array<Vec3, 3> viewAxes(double azimuth, double elevation);

struct TrajectoryPicture {
  QImage image;                      // ARGB, transparent in pixels without a point
  std::vector<std::int32_t> sample;  // [height, width]; -1: none
  std::vector<float> depth;          // the same; larger is nearer
  std::int64_t step = 1;             // each step-th sample was drawn
};

// Values that the colours stand for: the shot's number; seconds, or the sample's number in its shot
// where the trajectory has no times; the weight, on a logarithmic scale where it spans more than
// two decades.
struct ColourRange {
  double low = 0, high = 1;
  bool logarithmic = false;

  double fraction(double value) const;
};
// Shot, time and weight have the first range. Density, load and magnitude have the second, of
// `loads`.
ColourRange colourRange(const Trajectory& trajectory, TrajectoryColour colour);
ColourRange colourRange(const std::vector<float>& loads);
bool hasTimes(const Trajectory& trajectory);
bool hasWeights(const Trajectory& trajectory);
QRgb trajectoryColour(double fraction);  // light enough for a dark ground

struct TrajectoryDrawing {
  KspaceProjection projection;  // in device pixels
  QSize size;                   // device pixels
  TrajectoryColour colour = TrajectoryColour::shot;
  ColourRange range;
  // for each sample, for density, load and magnitude; null: not known yet
  const std::vector<float>* loads = nullptr;
  const std::vector<char>* chosen =
      nullptr;                     // for each sample; others are drawn faded, behind. Null: all are
  int pointSize = 2;               // device pixels
  std::int64_t maximumPoints = 0;  // 0: all
  double depthRadius = 0;          // points fade from +radius to -radius in depth; 0: they don't
};
TrajectoryPicture drawTrajectory(const Trajectory& trajectory, const TrajectoryDrawing& drawing);
// The same by pieces: samples [from, to) are drawn over what is there, first nothing.
void drawSamples(const Trajectory& trajectory, const TrajectoryDrawing& drawing, std::int64_t from,
                 std::int64_t to, TrajectoryPicture& picture);

// The sample that a picture shows nearest to a point, within `reach`; both in device pixels.
std::optional<std::int64_t> sampleNear(const TrajectoryPicture& picture, const QPointF& point, int reach);

// The point of one sample, 0 in the dimensions that the trajectory lacks.
Vec3 kspacePoint(const Trajectory& trajectory, std::int64_t sample);

std::int64_t shotOf(const Trajectory& trajectory, std::int64_t sample);

}  // namespace spokelab
