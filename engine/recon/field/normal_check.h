// The normal operator of a field-corrected transform against the exact one, at some pixels:
//   y = A^H W A u,   A the exact sum (gdft_problem.h), u zero but at some pixels
// which makes the exact sums affordable. The pixels where u is not zero may hold most of y: all of
// them are compared.
#pragma once

#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/field/gdft/gdft_problem.h"

namespace spokelab {

struct NormalCheck {
  std::vector<cdouble> image;           // u
  std::vector<std::int64_t> selection;  // pixels; the first `support` ones have u
  std::size_t support = 0;
  std::vector<cdouble> exact;  // y at the selection
};

// weights: [sample], or empty for ones.
NormalCheck makeNormalCheck(const GdftProblem& problem, std::span<const double> weights, int threads,
                            const Progress& progress);
// Relative l2 error of `image` [pixel], another transform's A^H W A u, as the selected pixels tell
// it.
double checkedError(const NormalCheck& check, std::span<const cdouble> image);
// |y| / |u|
double checkedGain(const NormalCheck& check);

// The problem of some of its pixels, at given coordinates.
GdftProblem somePixels(const GdftProblem& problem, std::span<const std::int64_t> pixels);

}  // namespace spokelab
