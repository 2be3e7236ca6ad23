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

// The largest number of eigenvectors that are found of a matrix with more than 256 rows: half of
// the rows, rounded down to whole panels.
std::int64_t largeEigenspaceLimit(std::int64_t rows);

// All eigenvectors whose value is at least `share` of the largest. In large matrices vectors close
// to that limit may hold some per mille of vectors just below it, and only the largeEigenspaceLimit
// strongest are found: calibration data with a larger space are mostly noise. Throws Cancelled.
Eigenspace leadingEigenspace(const PanelMatrix& hermitian, double share, const Progress& progress);

}  // namespace spokelab
