// What follows from the points of a transform of type 3 (type3.h) on any machine: their places on the two
// grids, and the factors that values are multiplied by.
#pragma once

#include <optional>
#include <vector>

#include "engine/core/error.h"
#include "engine/nufft/type3/type3_grids.h"

namespace spokelab {

// Throws Error where coordinates are left over; `what` names the points.
std::int64_t countOfPoints(std::span<const double> points, int dims, const char* what);

// The two boxes.
struct Boxes {
  Extent sources, targets;
};

template <class Real>
struct PlacedPoints {
  std::vector<double> places;         // cycles per pixel or cell, [point, dims]
  Buffer<std::complex<Real>> factor;  // [point]
};

// On the outer grid of `grid` cells; factors e^{sign 2 pi i D . (x - C)}.
template <class Real>
PlacedPoints<Real> placeSources(const Type3Problem& problem, const Outer& outer, const Boxes& boxes,
                                std::span<const double> sources, int threads);

// On the inner transform's band; factors e^{sign 2 pi i s . C} / transform of the kernel.
template <class Real>
PlacedPoints<Real> placeTargets(const Type3Problem& problem, const Outer& outer, const Kernel& kernel,
                                const Boxes& boxes, std::span<const double> targets, int threads);

// What the inner transform's error grows by, from the targets' factors.
template <class Real>
double amplificationOf(const Kernel& kernel, int dims, const Buffer<std::complex<Real>>& factor);

// What `make` gives for the first outer grid that it throws no Error for; else the last Error: where
// targets crowd at the edge of a band, the least ratio may amplify too much.
template <class Make>
auto firstPossible(const std::vector<Outer>& outers, const Make& make) {
  std::optional<Error> refused;
  for (const Outer& outer : outers) try {
      return make(outer);
    } catch (const Error& e) {
      refused = e;
    }
  throw Error(*refused);
}

}  // namespace spokelab
