#include "engine/recon/density/radial_weights.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double maxLineDistance = 0.005;  // most distance from the line, over the largest radius
constexpr double maxCentreHole = 0.1;      // nearest sample to the centre, over the largest radius
constexpr double sameAngleRadians = 1e-4;  // radians: rays that share one sector
constexpr double sameShotPlane = 0.05;     // over the mean distance of planes: shots that share one plane
constexpr std::int64_t pointsPerTask = 1 << 14, linesPerTask = 64;
constexpr double minDirectionSpread =
    0.2 / 27;  // determinant of the directions' second moments; 1/27 is isotropic

using Point = std::array<double, 3>;

double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// One shot as a line through the origin, r = p . direction; a negative r makes two rays.
struct Line {
  std::size_t begin = 0, end = 0;
  Point direction{};
  double radius = 0, lowest = 0, nearest = 0;  // largest |r|, least r, least |r|
  double off2 = 0;                             // of the sample farthest from the line
  bool twoSided = false;
  double share[2] = {0, 0};  // angle or solid angle of the rays along and against the direction
};

// The points in cycles per pixel, on demand: an array would take longer than all the work.
class ScaledPoints {
 public:
  ScaledPoints(const Trajectory& t, const Index3& matrix)
      : points_(t.points.data()), count_(std::size_t(t.samples())), dims_(t.dims), used_(t.dims) {
    for (std::size_t d = 0; d < 3; ++d) matrix_[d] = double(matrix[d]);
  }
  std::size_t size() const { return count_; }
  Point operator[](std::size_t j) const {
    const double* const k = points_ + j * std::size_t(dims_);
    Point p{};
    for (std::size_t d = 0; d < std::size_t(used_); ++d) p[d] = k[d] / matrix_[d];
    return p;
  }
  // The same with z = 0.
  ScaledPoints flat() const {
    ScaledPoints result = *this;
    result.used_ = 2;
    return result;
  }

 private:
  const double* points_;
  std::size_t count_;
  int dims_, used_;
  std::array<double, 3> matrix_{1, 1, 1};
};

// False: it is not a line, whatever the other shots are.
bool fitLine(const ScaledPoints& points, Line& line) {
  if (line.end - line.begin < 2) return false;
  Point far = points[line.begin];
  for (std::size_t j = line.begin; j < line.end; ++j)
    if (const Point p = points[j]; dot(p, p) > dot(far, far)) far = p;
  const double radius = std::sqrt(dot(far, far));
  if (!(radius > 0)) return false;
  // Shots that are accepted reach maxCentreHole of the largest radius.
  const double most = maxLineDistance / maxCentreHole * radius;
  for (std::size_t d = 0; d < 3; ++d) line.direction[d] = far[d] / radius;
  line.radius = line.lowest = line.nearest = radius;
  for (std::size_t j = line.begin; j < line.end; ++j) {
    const Point p = points[j];
    const double r = dot(p, line.direction);
    line.off2 = std::max(line.off2, dot(p, p) - r * r);
    if (line.off2 > most * most) return false;
    line.lowest = std::min(line.lowest, r);
    line.nearest = std::min(line.nearest, std::abs(r));
  }
  return true;
}

// True if the line fits beside shots of this largest radius.
bool acceptLine(double largest, Line& line) {
  const double hole = maxCentreHole * largest, distance = maxLineDistance * largest;
  line.twoSided = line.lowest < -hole;
  return line.radius > hole && line.off2 <= distance * distance && line.nearest <= hole;
}

// 2-D: each ray gets half the gaps to its neighbours; rays of one direction share theirs.
void shareCircle(std::vector<Line>& lines) {
  struct Ray {
    double angle;
    double* share;
  };
  std::vector<Ray> rays;
  for (Line& line : lines) {
    const double angle = std::atan2(line.direction[1], line.direction[0]);
    rays.push_back({angle, &line.share[0]});
    if (line.twoSided) rays.push_back({angle > 0 ? angle - pi : angle + pi, &line.share[1]});
  }
  std::sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) { return a.angle < b.angle; });
  // Start where a group starts, so that none is cut by the seam at pi.
  const std::size_t n = rays.size();
  const auto gapBefore = [&](std::size_t i) {
    const double gap = rays[i].angle - rays[(i + n - 1) % n].angle;
    return i == 0 ? gap + 2 * pi : gap;
  };
  std::size_t start = 0;
  while (start + 1 < n && gapBefore(start) <= sameAngleRadians) ++start;
  std::vector<std::pair<std::size_t, std::size_t>> groups;  // first ray (counted from start), rays
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || gapBefore((start + i) % n) > sameAngleRadians) groups.emplace_back(i, 0);
    ++groups.back().second;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto [first, count] = groups[g];
    const std::size_t next = groups[(g + 1) % groups.size()].first;
    const double gaps = gapBefore((start + first) % n) + gapBefore((start + next) % n);
    for (std::size_t i = first; i < first + count; ++i)
      *rays[(start + i) % n].share = groups.size() == 1 ? 2 * pi / double(n) : gaps / 2 / double(count);
  }
}

void shareSphere(std::vector<Line>& lines) {
  double rays = 0;
  for (const Line& line : lines) rays += line.twoSided ? 2 : 1;
  for (Line& line : lines) line.share[0] = line.share[1] = 4 * pi / rays;
}

// Directions that leave a dimension out cannot share the sphere.
bool coversSphere(const std::vector<Line>& lines) {
  double m[3][3] = {};
  for (const Line& line : lines)
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        m[a][b] += line.direction[a] * line.direction[b] / double(lines.size());
  const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return determinant > minDirectionSpread;
}

// Area (d = 2) or volume (d = 3) per unit of angle of the cell [low, high], 0 <= low, around radius
// r.
// In the plane r dr, exactly; at the centre that is the corrected ramp. In space r^2 dr: the
// trapezoidal rule, which is exact for what an object within the field of view can have; the cell's
// own volume would be dr^3 / 12 more, which adds a haze of 1 / distance to the image.
double cell(double r, double low, double high, int d) {
  return d == 2 ? (high * high - low * low) / 2 : r * r * (high - low);
}

// Cells along a line, from middle to middle of neighbours; from the centre it starts at 0.
void weighLine(const ScaledPoints& points, const Line& line, int d, double scale, Buffer<double>& weights) {
  std::vector<std::pair<double, std::size_t>> along;
  along.reserve(line.end - line.begin);
  for (std::size_t j = line.begin; j < line.end; ++j) along.emplace_back(dot(points[j], line.direction), j);
  if (!std::is_sorted(along.begin(), along.end())) std::sort(along.begin(), along.end());
  const std::size_t n = along.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double r = along[i].first;
    double low = i > 0 ? (along[i - 1].first + r) / 2 : r - (along[1].first - r) / 2;
    double high = i + 1 < n ? (r + along[i + 1].first) / 2 : r + (r - along[n - 2].first) / 2;
    if (!line.twoSided) {
      if (i == 0) low = 0;
      low = std::max(low, 0.0);
      high = std::max(high, 0.0);
    }
    const double forward = cell(r, std::max(low, 0.0), std::max(high, 0.0), d);
    const double backward = cell(r, std::max(-high, 0.0), std::max(-low, 0.0), d);
    weights[along[i].second] = scale * (line.share[0] * forward + line.share[1] * backward);
  }
}

double largestRadius(const ScaledPoints& points) {
  const auto count = std::int64_t(points.size());
  std::vector<double> parts(std::size_t((count + pointsPerTask - 1) / pointsPerTask), 0.0);
  parallelTasks(std::int64_t(parts.size()), 0, [&](std::int64_t task) {
    double largest = 0;
    const auto end = std::size_t(std::min(count, (task + 1) * pointsPerTask));
    for (auto j = std::size_t(task * pointsPerTask); j < end; ++j) {
      const Point p = points[j];
      largest = std::max(largest, dot(p, p));
    }
    parts[std::size_t(task)] = largest;
  });
  return parts.empty() ? 0 : std::sqrt(*std::max_element(parts.begin(), parts.end()));
}

// Fits all given shots; `d`: 2 plane, 3 sphere. largest: radius of all shots; 0: of these, set.
bool weighLines(const ScaledPoints& points, const std::vector<std::pair<std::size_t, std::size_t>>& shots,
                int d, double& largest, double scale, Buffer<double>& weights) {
  std::vector<Line> lines(shots.size());
  std::atomic<bool> straight = true;
  const auto count = std::int64_t(shots.size());
  parallelFor(count, 0, linesPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && straight; ++i) {
      Line& line = lines[std::size_t(i)];
      line.begin = shots[std::size_t(i)].first;
      line.end = shots[std::size_t(i)].second;
      if (!fitLine(points, line)) straight = false;
    }
  });
  if (!straight) return false;
  if (largest == 0)
    for (const Line& line : lines) largest = std::max(largest, line.radius);
  for (Line& line : lines)
    if (!acceptLine(largest, line)) return false;
  if (d == 2) {
    shareCircle(lines);
  } else {
    if (!coversSphere(lines)) return false;
    shareSphere(lines);
  }
  parallelFor(count, 0, linesPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) weighLine(points, lines[std::size_t(i)], d, scale, weights);
  });
  return true;
}

// Planes of constant kz, each a star: a weight is the star's area times the planes' distance.
bool weighStack(const ScaledPoints& points, const std::vector<std::pair<std::size_t, std::size_t>>& shots,
                double scale, Buffer<double>& weights) {
  struct Shot {
    double z;
    std::pair<std::size_t, std::size_t> range;
  };
  std::vector<Shot> byPlane;
  for (const auto& range : shots) byPlane.push_back({points[range.first][2], range});
  std::sort(byPlane.begin(), byPlane.end(), [](const Shot& a, const Shot& b) { return a.z < b.z; });
  const double extent = byPlane.back().z - byPlane.front().z;
  if (!(extent > 0)) return false;
  // Planes by the gaps: first against the mean distance of shots, then of the planes found.
  std::vector<std::size_t> starts;
  double tolerance = sameShotPlane * extent / double(byPlane.size());
  for (std::size_t i = 0; i < byPlane.size(); ++i)
    if (i == 0 || byPlane[i].z - byPlane[i - 1].z > tolerance) starts.push_back(i);
  const std::size_t planes = starts.size();
  if (planes < 2) return false;
  tolerance = sameShotPlane * extent / double(planes - 1);
  for (const Shot& shot : byPlane)
    for (std::size_t j = shot.range.first; j < shot.range.second; ++j)
      if (std::abs(points[j][2] - shot.z) > tolerance) return false;
  const ScaledPoints flat = points.flat();
  double largest = largestRadius(flat);
  if (!(largest > 0)) return false;
  starts.push_back(byPlane.size());
  const auto z = [&](std::size_t plane) { return byPlane[starts[plane]].z; };
  for (std::size_t p = 0; p < planes; ++p) {
    std::vector<std::pair<std::size_t, std::size_t>> star;
    for (std::size_t i = starts[p]; i < starts[p + 1]; ++i) star.push_back(byPlane[i].range);
    const double below = p > 0 ? z(p) - z(p - 1) : z(1) - z(0);
    const double above = p + 1 < planes ? z(p + 1) - z(p) : z(p) - z(p - 1);
    if (!weighLines(flat, star, 2, largest, scale * (below + above) / 2, weights)) return false;
  }
  return true;
}

}  // namespace

bool radialWeights(const Trajectory& trajectory, Buffer<double>& weights, const Index3& matrix,
                   double* radius) {
  if (trajectory.dims < 2 || trajectory.shots() < 2) return false;
  const ScaledPoints points(trajectory, matrix);
  std::vector<std::pair<std::size_t, std::size_t>> shots;
  for (std::size_t s = 0; s + 1 < trajectory.shotOffsets.size(); ++s) {
    const auto begin = std::size_t(trajectory.shotOffsets[s]),
               end = std::size_t(trajectory.shotOffsets[s + 1]);
    if (end > begin) shots.emplace_back(begin, end);
  }
  if (shots.size() < 2) return false;
  double scale = 1;
  for (std::size_t d = 0; d < std::size_t(trajectory.dims); ++d) scale *= double(matrix[d]);
  Buffer<double> found(points.size());  // each sample is one of a shot
  double largest = 0;
  if (!weighLines(points, shots, trajectory.dims, largest, scale, found)) {
    if (trajectory.dims != 3 || !weighStack(points, shots, scale, found)) return false;
    largest = 0;  // of the planes alone
  }
  if (radius) *radius = largest;
  weights = std::move(found);
  return true;
}

}  // namespace spokelab
