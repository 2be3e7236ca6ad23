// The areas behind voronoi_weights.h, for distinct points of one plane.
#pragma once

#include <array>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab {

using PlanePoint = std::array<double, 2>;

// Area of each point's cell within the points' hull moved outwards, as there. Empty where the
// points span no area.
std::vector<double> voronoiAreas(const std::vector<PlanePoint>& points, int threads,
                                 const Progress& progress);

// Corners of the convex hull, counter-clockwise, none on an edge.
std::vector<PlanePoint> convexHull(std::vector<PlanePoint> points);

double polygonArea(const std::vector<PlanePoint>& corners);

}  // namespace spokelab
