// Analytic phantoms: ellipses and rectangles, ellipsoids and boxes, whose k-space is known in closed form.
#pragma once

#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class ShapeKind { ellipsoid, box };

// Ellipsoid or box (ellipse or rectangle where dims = 2) in units of the field of view: centre in (-1/2, 1/2),
// semi-axes or half sides, rotated by `angle` (radians) about z. value adds up where shapes overlap.
struct PhantomShape {
  Vec3 centre{0, 0, 0}, semiAxes{0.25, 0.25, 0.25};
  double angle = 0;
  cdouble value{1, 0};
  ShapeKind kind = ShapeKind::ellipsoid;
};

// One coil's sensitivity as a short sum of complex exponentials, sum_i c_i e^{2 pi i f_i . r}, r in FOV
// units: its product with the phantom has k-space sum_i c_i F(k - f_i), still closed-form.
struct CoilMap {
  std::vector<cdouble> amplitudes;
  std::vector<Vec3> frequencies;  // cycles per FOV
};

struct Phantom {
  int dims = 2;
  std::vector<PhantomShape> shapes;
  std::vector<CoilMap> coils;  // empty: one coil, sensitivity 1
};

Phantom sheppLogan(int dims);  // the modified contrast that shows on a screen
// Groups of four bars, FOV/48 ... FOV/256 wide and as far apart, across x, across y and oblique (3-D: across z, too),
// in a round body: what a resolution comes to.
Phantom barPhantom(int dims);
std::vector<CoilMap> modelCoils(int dims, int count);  // smooth, distinct, root sum of squares near 1

// Whether r (in fields of view) lies in the shape.
bool isInside(const PhantomShape& shape, int dims, const Vec3& r);

// Integral over the FOV of m(r) e^{-2 pi i k . r} dr for a point k in cycles/FOV; r in FOV units.
cdouble phantomKspace(const Phantom& phantom, int coil, const double* k);

// Phantom's value at each pixel's centre (no antialiasing) on `matrix`, times coil map if coil >= 0.
Image phantomImage(const Phantom& phantom, const Index3& matrix, int coil = -1);

// What an image of `matrix` is compared with:
//   points: phantomImage;
//   band:   sum over the closed-form k-space at the matrix' own frequencies: what a fully sampled Cartesian scan gives;
//   ball:   integral over the k-space within the ellipse (ellipsoid) of semi-axes N_d/2, by steps of 1/2 cycle/FOV:
//           what radial and spiral scans can give.
// Without coils.
enum class TruthKind { points, band, ball };
Image truthImage(const Phantom& phantom, const Index3& matrix, TruthKind kind, const Progress& progress);

}  // namespace spokelab
