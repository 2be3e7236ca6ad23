// Analytic phantoms: ellipses and ellipsoids whose k-space is known in closed form.
#pragma once

#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Ellipsoid (ellipse where dims = 2) in units of the field of view: centre and semi-axes in (-1/2, 1/2),
// rotated by `angle` (radians) about z. value adds up where shapes overlap.
struct Ellipsoid {
  Vec3 centre{0, 0, 0}, semiAxes{0.25, 0.25, 0.25};
  double angle = 0;
  cdouble value{1, 0};
};

// One coil's sensitivity as a short sum of complex exponentials, sum_i c_i e^{2 pi i f_i . r}, r in FOV
// units: its product with the phantom has k-space sum_i c_i F(k - f_i), still closed-form.
struct CoilMap {
  std::vector<cdouble> amplitudes;
  std::vector<Vec3> frequencies;  // cycles per FOV
};

struct Phantom {
  int dims = 2;
  std::vector<Ellipsoid> shapes;
  std::vector<CoilMap> coils;  // empty: one coil, sensitivity 1
};

Phantom sheppLogan(int dims);                          // the modified contrast that shows on a screen
std::vector<CoilMap> modelCoils(int dims, int count);  // smooth, distinct, root sum of squares near 1

// Integral over the FOV of m(r) e^{-2 pi i k . r} dr for a point k in cycles/FOV; r in FOV units.
cdouble phantomKspace(const Phantom& phantom, int coil, const double* k);

// Phantom value averaged over each pixel's centre point (no antialiasing) on `matrix`, times coil map if coil
// >= 0.
Image phantomImage(const Phantom& phantom, const Index3& matrix, int coil = -1);

}  // namespace spokelab
