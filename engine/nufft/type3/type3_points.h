// Prepares the points of a type 3 transform (type3.h) for any machine: their places on the two
// grids, and the factors that multiply values.
#pragma once

#include <optional>
#include <vector>

#include "engine/core/error.h"
#include "engine/nufft/type3/type3_grids.h"

namespace spokelab {

// Throws Error if the number of coordinates is not a multiple of dims; `what` names the points.
std::int64_t countOfPoints(std::span<const double> points, int dims, const char* what);

struct Boxes {
  Extent sources, targets;
};

template <class Real>
struct PlacedPoints {
  std::vector<double> places;         // cycles per pixel or cell, [point, dims]
  Buffer<std::complex<Real>> factor;  // [point]
};

// Places on the outer grid; factors e^{sign 2 pi i D . (x - C)}.
template <class Real>
PlacedPoints<Real> placeSources(const Type3Problem& problem, const Outer& outer, const Boxes& boxes,
                                std::span<const double> sources, int threads);

// Places in the inner transform's band; factors e^{sign 2 pi i s . C} / transform of the kernel.
template <class Real>
PlacedPoints<Real> placeTargets(const Type3Problem& problem, const Outer& outer, const Kernel& kernel,
                                const Boxes& boxes, std::span<const double> targets, int threads);

// The amplification of the inner transform's error (type3_grids.h), from the targets' factors.
template <class Real>
double amplificationOf(const Kernel& kernel, int dims, const Buffer<std::complex<Real>>& factor);

// Calls `make` on each outer grid until one does not throw: the least ratio may amplify too much.
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
