// Geometry for voronoi_weights.h: cell areas and the convex hull of distinct points in a plane.
// Areas have the square of the points' unit.
#pragma once

#include <array>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab {

using PlanePoint = std::array<double, 2>;

// Area of each point's Voronoi cell, cut by the points' hull moved outwards (voronoi_weights.h).
// Empty where all points are on a line. threads <= 0: all. Throws Cancelled.
std::vector<double> voronoiAreas(const std::vector<PlanePoint>& points, int threads,
                                 const Progress& progress);

// Corners of the convex hull, counter-clockwise, without points inside an edge.
std::vector<PlanePoint> convexHull(std::vector<PlanePoint> points);

double polygonArea(const std::vector<PlanePoint>& corners);

}  // namespace spokelab
