// Analytic phantoms: ellipses and rectangles, ellipsoids and boxes, whose k-space is known in
// closed form.
#pragma once

#include <vector>

#include "engine/core/array.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class ShapeKind { ellipsoid, box };

// Ellipsoid or box (ellipse or rectangle where dims = 2) in units of the field of view: centre in
// (-1/2, 1/2), semi-axes or half sides, rotated by `angle` (radians) about z. value adds up where
// shapes overlap.
struct PhantomShape {
  Vec3 centre{0, 0, 0}, semiAxes{0.25, 0.25, 0.25};
  double angle = 0;
  cdouble value{1, 0};
  ShapeKind kind = ShapeKind::ellipsoid;
};

// One coil's sensitivity as a short sum of complex exponentials, sum_i c_i e^{2 pi i f_i . r}, r in
// FOV units: its product with the phantom has k-space sum_i c_i F(k - f_i), still closed-form.
struct CoilMap {
  std::vector<cdouble> amplitudes;
  std::vector<Vec3> frequencies;  // cycles per FOV
};

struct Phantom {
  int dims = 2;
  std::vector<PhantomShape> shapes;
  std::vector<CoilMap> coils;  // empty: one coil, sensitivity 1
};

// True if r (in fields of view) is inside the shape.
bool isInside(const PhantomShape& shape, int dims, const Vec3& r);

// Integral over the FOV of m(r) e^{-2 pi i k . r} dr for a point k in cycles/FOV; r in FOV units.
cdouble phantomKspace(const Phantom& phantom, int coil, const double* k);

// Phantom's value at each pixel's centre (no antialiasing) on `matrix`, times coil map if coil >=
// 0.
Image phantomImage(const Phantom& phantom, const Index3& matrix, int coil = -1);

}  // namespace spokelab
