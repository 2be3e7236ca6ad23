#include "engine/recon/density/voronoi_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t cellsPerTask = 256;
constexpr std::size_t pointsPerLeaf = 8;  // of the tree
constexpr double flatCorner = 1e-12;      // of the squared extent: three points of the hull on one line
constexpr double minMitre = 0.2;          // 1 + cosine of the turn below which a corner's offset is cut short

double cross(const PlanePoint& o, const PlanePoint& a, const PlanePoint& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

double squaredDistance(const PlanePoint& a, const PlanePoint& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

// A k-d tree over points; neighbours of a place come out nearest first.
class PointTree {
 public:
  explicit PointTree(const std::vector<PlanePoint>& points) : points_(points), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t(0));
    build(0, order_.size());
  }

  class Neighbours {
   public:
    Neighbours(const PointTree& tree, const PlanePoint& place) : tree_(tree), place_(place) {
      queue_.push({tree_.distanceTo(0, place_), 0, true});
    }
    // The next nearest point and its squared distance; false after the last.
    bool next(std::size_t& point, double& distance2) {
      while (!queue_.empty()) {
        const Entry entry = queue_.top();
        queue_.pop();
        if (!entry.isNode) {
          point = entry.index;
          distance2 = entry.distance2;
          return true;
        }
        const Node& node = tree_.nodes_[entry.index];
        if (node.left == 0) {
          for (std::size_t i = node.begin; i < node.end; ++i) {
            const std::size_t p = tree_.order_[i];
            queue_.push({squaredDistance(tree_.points_[p], place_), p, false});
          }
        } else {
          for (std::size_t child : {node.left, node.right})
            queue_.push({tree_.distanceTo(child, place_), child, true});
        }
      }
      return false;
    }

   private:
    struct Entry {
      double distance2;
      std::size_t index;
      bool isNode;
      bool operator<(const Entry& other) const { return distance2 > other.distance2; }
    };
    const PointTree& tree_;
    PlanePoint place_;
    std::priority_queue<Entry> queue_;
  };

 private:
  struct Node {
    std::size_t begin = 0, end = 0, left = 0, right = 0;  // left 0: a leaf
    PlanePoint low{}, high{};
  };

  std::size_t build(std::size_t begin, std::size_t end) {
    const std::size_t number = nodes_.size();
    nodes_.emplace_back();
    Node node;
    node.begin = begin;
    node.end = end;
    node.low = node.high = points_[order_[begin]];
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t d = 0; d < 2; ++d) {
        node.low[d] = std::min(node.low[d], points_[order_[i]][d]);
        node.high[d] = std::max(node.high[d], points_[order_[i]][d]);
      }
    if (end - begin > pointsPerLeaf) {
      const std::size_t axis = node.high[0] - node.low[0] >= node.high[1] - node.low[1] ? 0 : 1;
      const std::size_t middle = (begin + end) / 2;
      const auto at = [&](std::size_t i) { return order_.begin() + std::ptrdiff_t(i); };
      std::nth_element(at(begin), at(middle), at(end),
                       [&](std::size_t a, std::size_t b) { return points_[a][axis] < points_[b][axis]; });
      node.left = build(begin, middle);
      node.right = build(middle, end);
    }
    nodes_[number] = node;
    return number;
  }

  double distanceTo(std::size_t number, const PlanePoint& place) const {
    const Node& node = nodes_[number];
    double sum = 0;
    for (std::size_t d = 0; d < 2; ++d) {
      const double off = std::max({node.low[d] - place[d], 0.0, place[d] - node.high[d]});
      sum += off * off;
    }
    return sum;
  }

  const std::vector<PlanePoint>& points_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

// Keeps what is nearer to `a` than to `b`.
void cut(std::vector<PlanePoint>& polygon, const PlanePoint& a, const PlanePoint& b,
         std::vector<PlanePoint>& scratch) {
  const PlanePoint normal{b[0] - a[0], b[1] - a[1]};
  const double level = (normal[0] * (a[0] + b[0]) + normal[1] * (a[1] + b[1])) / 2;
  const auto beyond = [&](const PlanePoint& p) { return normal[0] * p[0] + normal[1] * p[1] - level; };
  scratch.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double fp = beyond(p), fq = beyond(q);
    if (fp <= 0) scratch.push_back(p);
    if ((fp < 0 && fq > 0) || (fp > 0 && fq < 0)) {
      const double t = fp / (fp - fq);
      scratch.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
    }
  }
  polygon.swap(scratch);
}

double farthest2(const std::vector<PlanePoint>& polygon, const PlanePoint& from) {
  double most = 0;
  for (const PlanePoint& p : polygon) most = std::max(most, squaredDistance(p, from));
  return most;
}

PlanePoint outwardNormal(const PlanePoint& a, const PlanePoint& b) {
  const double length = std::sqrt(squaredDistance(a, b));
  return {(b[1] - a[1]) / length, -(b[0] - a[0]) / length};
}

std::vector<PlanePoint> movedOutwards(const std::vector<PlanePoint>& hull, double by) {
  std::vector<PlanePoint> moved;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PlanePoint& corner = hull[i];
    const PlanePoint n1 = outwardNormal(hull[(i + hull.size() - 1) % hull.size()], corner),
                     n2 = outwardNormal(corner, hull[(i + 1) % hull.size()]);
    const double scale = by / std::max(minMitre, 1 + n1[0] * n2[0] + n1[1] * n2[1]);
    moved.push_back({corner[0] + scale * (n1[0] + n2[0]), corner[1] + scale * (n1[1] + n2[1])});
  }
  return moved;
}

}  // namespace

std::vector<PlanePoint> convexHull(std::vector<PlanePoint> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return {};
  double extent2 = 0;
  for (const PlanePoint& p : points) extent2 = std::max(extent2, squaredDistance(p, points.front()));
  std::vector<PlanePoint> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = hull.size();
    for (const PlanePoint& p : points) {
      while (hull.size() >= start + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= flatCorner * extent2)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  if (hull.size() < 3 || !(polygonArea(hull) > flatCorner * extent2)) return {};
  return hull;
}

double polygonArea(const std::vector<PlanePoint>& corners) {
  double twice = 0;
  for (std::size_t i = 2; i < corners.size(); ++i) twice += cross(corners[0], corners[i - 1], corners[i]);
  return twice / 2;
}

std::vector<double> voronoiAreas(const std::vector<PlanePoint>& points, int threads,
                                 const Progress& progress) {
  const std::vector<PlanePoint> hull = convexHull(points);
  if (hull.empty()) return {};
  const PointTree tree(points);
  std::vector<double> gaps;
  for (const PlanePoint& corner : hull) {
    PointTree::Neighbours neighbours(tree, corner);
    std::size_t point = 0;
    double distance2 = 0;
    while (neighbours.next(point, distance2))
      if (distance2 > 0) break;
    gaps.push_back(std::sqrt(distance2));
  }
  std::nth_element(gaps.begin(), gaps.begin() + std::ptrdiff_t(gaps.size() / 2), gaps.end());
  const std::vector<PlanePoint> region = movedOutwards(hull, gaps[gaps.size() / 2] / 2);

  std::vector<double> areas(points.size(), 0.0);
  parallelFor(std::int64_t(points.size()), threads, cellsPerTask, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    std::vector<PlanePoint> cell, scratch;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      cell = region;
      double reach2 = farthest2(cell, points[i]);
      PointTree::Neighbours neighbours(tree, points[i]);
      std::size_t other = 0;
      double distance2 = 0;
      while (neighbours.next(other, distance2) && distance2 < 4 * reach2) {
        if (other == i) continue;
        cut(cell, points[i], points[other], scratch);
        if (cell.size() < 3) break;
        reach2 = farthest2(cell, points[i]);
      }
      areas[i] = cell.size() < 3 ? 0 : polygonArea(cell);
    }
  });
  return areas;
}

}  // namespace spokelab
