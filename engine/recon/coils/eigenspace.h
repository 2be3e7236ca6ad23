// The eigenvectors of a large Hermitian matrix whose eigenvalues are not small: small matrices
// directly, in double precision; large ones by subspace iteration with random starts (Halko,
// Martinsson, Tropp, SIAM Review 53:217, 2011), whose work is products on all cores.
#pragma once

#include <vector>

#include "engine/recon/coils/panel_product.h"

namespace spokelab {

struct Eigenspace {
  std::vector<double> values;  // descending
  PanelMatrix vectors;         // [component, value], unit columns
};

// All eigenvectors whose value is at least `share` of the largest. Those of large matrices that are
// close to that limit may hold some per mille of vectors just below it. Throws Cancelled.
Eigenspace leadingEigenspace(const PanelMatrix& hermitian, double share, const Progress& progress);

}  // namespace spokelab
