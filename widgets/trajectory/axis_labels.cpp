#include "widgets/trajectory/axis_labels.h"

#include <algorithm>
#include <cmath>

#include <QPolygonF>

namespace spokelab {
namespace {

double cross(const QPointF& o, const QPointF& a, const QPointF& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

// A point of an edge along axis d: t from -1 to +1, the two others' corner by its bits.
Vec3 onEdge(const Vec3& half, std::size_t d, int corner, double t) {
  const std::size_t u = (d + 1) % 3, v = (d + 2) % 3;
  Vec3 k{};
  k[d] = t * half[d];
  k[u] = corner & 1 ? half[u] : -half[u];
  k[v] = corner & 2 ? half[v] : -half[v];
  return k;
}

bool touches(const QRectF& area, const QPolygonF& outline) {
  return !outline.intersected(QPolygonF(area)).isEmpty();
}

}  // namespace

QPolygonF boxOutline(const KspaceProjection& projection, const Vec3& half) {
  std::vector<QPointF> points;
  for (int corner = 0; corner < 4; ++corner)
    for (const double t : {-1.0, 1.0}) points.push_back(projection.point(onEdge(half, 0, corner, t)));
  std::sort(points.begin(), points.end(), [](const QPointF& a, const QPointF& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  // Andrew's monotone chain: first the lower, then the upper part.
  QPolygonF hull;
  const auto extend = [&hull](qsizetype floor, const QPointF& p) {
    while (hull.size() >= floor + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0) hull.removeLast();
    hull << p;
  };
  for (const QPointF& p : points) extend(0, p);
  const qsizetype lower = hull.size() - 1;
  for (auto p = points.rbegin() + 1; p != points.rend(); ++p) extend(lower, *p);
  return hull;
}

std::array<QRectF, 3> placeAxisLabels(const KspaceProjection& projection, const Vec3& half,
                                      const QRectF& inside, const QRectF& taken,
                                      const std::array<QSizeF, 3>& sizes) {
  constexpr double away = 3;                               // pixels between edge and text
  constexpr double along[] = {0.7, 0.4, 0.0, -0.4, -0.7};  // places on an edge, the best first
  // outwards by half a text each, until it is clear
  constexpr int furtherSteps = 4;
  const QPolygonF outline = boxOutline(projection, half);
  std::array<QRectF, 3> placed;
  for (std::size_t d = 0; d < 3; ++d) {
    struct Candidate {
      QRectF area;
      double score;  // the lower, the better
    };
    std::vector<Candidate> candidates;
    for (int corner = 0; corner < 4; ++corner) {
      for (std::size_t place = 0; place < std::size(along); ++place) {
        const QPointF at = projection.point(onEdge(half, d, corner, along[place]));
        QPointF out = projection.point(onEdge(half, d, corner, 0)) - projection.centre;
        const double length = std::hypot(out.x(), out.y());
        out = length > 0 ? out / length : QPointF(0, -1);
        const QSizeF size = sizes[d];
        for (int step = 0; step <= furtherSteps; ++step) {
          const double x = size.width() / 2 + away, y = size.height() / 2 + away;
          const double share = 1 + double(step) / 2;
          const QPointF middle = at + QPointF(out.x() * x, out.y() * y) * share;
          const QRectF area(middle - QPointF(size.width() / 2, size.height() / 2), size);
          // Far out first; then near the positive end; then near the edge.
          constexpr double placeCost = 0.05, stepCost = 0.02, hiddenCost = 100, outsideCost = 10;
          const double radius = std::max(1.0, projection.scale * std::hypot(half[0], half[1], half[2]));
          double score = -length / radius + placeCost * double(place) + stepCost * step;
          if (touches(area, outline) || area.intersects(taken)) score += hiddenCost;
          if (!inside.contains(area)) score += outsideCost;
          for (std::size_t other = 0; other < d; ++other)
            if (area.intersects(placed[other])) score += hiddenCost;
          candidates.push_back({area, score});
        }
      }
    }
    placed[d] = std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
                  return a.score < b.score;
                })->area;
  }
  return placed;
}

}  // namespace spokelab
