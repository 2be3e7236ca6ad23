// SENSE with Tikhonov regularization for all lambda from one run: the normal equations
//   (E^H W E / D + lambda) x = E^H W y / D
// differ by a shift alone, so that one Krylov space has the images of all of them
// (solve/lanczos.h). The image of a lambda is a sum of its vectors, without any transform.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/recon/sense/sense_problem.h"
#include "engine/recon/sense/transform_backend.h"
#include "engine/recon/solve/shifted_systems.h"

namespace spokelab {

struct LambdaRangeOptions {
  double low = 1e-4, high = 1;  // lambda
  int count = 25;               // that curves have, at logarithmic steps
  int steps = 60;               // of the Lanczos process, at most
  double tolerance = 1e-3;      // it ends where the residual of the smallest lambda is below
  // Share of samples (whole shots if enough) that another run predicts. 0: no such run.
  double heldOut = 0.1;
  unsigned seed = 1;  // of the choice of what is held out
};

// Misfit and size of the image of one lambda. Sums of squares run over the samples of all coils,
// with the problem's weights divided by their sum D, as in the equation that is solved.
struct LambdaPoint {
  double lambda = 0;
  double misfit = 0;    // sum W |E x - y|^2 / D
  double square = 0;    // |x|^2
  double residual = 0;  // of the normal equations, relative
  double heldOut = 0;   // misfit of the samples that were left out; 0: none were
};

class LambdaRange {
 public:
  Index3 matrix{1, 1, 1};
  int mapSets = 1;
  ShiftedSystems systems;
  std::vector<std::vector<cfloat>> vectors;  // [step][set, pixel], orthonormal
  std::vector<LambdaPoint> points;           // ascending
  double energy = 0;                         // sum W |y|^2 / D: the misfit of an image of zeros
  std::string transform, ending;             // in words
  std::string heldOut;                       // in words; empty: nothing was
  std::vector<std::string> notes;

  // [pixel]; of several sets of maps one image, as reconstructions have it.
  std::vector<cfloat> image(double lambda) const;
};

// Vectors are in host memory, transforms where the backend has them. Throws Error where the memory
// does not suffice, and as SENSE does; Cancelled.
LambdaRange lambdaRange(TransformBackend& backend, const SenseProblem& problem,
                        const LambdaRangeOptions& options, const Progress& progress);

}  // namespace spokelab
