// A SENSE problem of a slice (2-D) or a volume.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/memory/shared_values.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/path.h"
#include "engine/nufft/problem/problem.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/options/solver_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

class CoilMixer;

struct SenseProblem {
  int dims = 2;
  Index3 matrix{1, 1, 1};
  SharedValues points;                    // [sample, dims] cycles/FOV
  const double* placedPoints = nullptr;   // their copy in the memory of the backend that solves; null: none
  std::vector<double> times;              // [sample] s from the field map's time origin, or empty
  std::vector<std::int64_t> shotOffsets;  // [shots + 1]
  std::vector<ComplexPointer> coils;      // samples of each coil
  std::shared_ptr<const CoilMixer>
      mixer;  // knows copies of them in the backend's memory; null: none are there
  // [pixel] in the memory of the backend that solves, for the image. The coils' samples are in that
  // memory, too, in single precision, the samples of each group of shots one after the other. Null:
  // host memory.
  cfloat* deviceImage = nullptr;
  // [pixel] in host memory, for the image in single precision; null: the solution holds it.
  cfloat* hostImage = nullptr;
  std::vector<cfloat> maps;                        // [set, coil, pixel], or empty:
  std::shared_ptr<const BackendMaps> backendMaps;  // the maps in the memory of the backend that solves
  int mapSets = 1;                                 // 2: soft SENSE, an image a set
  // [coefficient] of a frame that is found together with others (joint_solver.h): its image is the
  // sum of these times the unknown images. Empty: the image is an unknown.
  std::vector<cdouble> basis;
  bool basisKernels = false;                   // basis_kernels.h; the basis is real
  SharedValues weights;                        // [sample], or empty: ones
  std::vector<std::vector<double>> phases;     // pcSENSE: [shot][pixel] rad; empty: SENSE
  std::vector<int> shots;                      // those that take part; empty: all
  std::vector<double> field, decay, gradient;  // as in GdftProblem
  PhaseForms forms;                            // likewise
  TransformKind transform = TransformKind::nufft;
  SegmentInterpolator interpolator = SegmentInterpolator::svd;
  int segments = 0;      // 0: by the accuracy
  int convolutions = 0;  // of segmentedToeplitz, likewise
  NufftOptions nufft;
  Precision precision = Precision::single;
  std::int64_t batch = 1;  // coils a call of the NUFFT
  std::int64_t slabs = 1;  // of the transform nufft; with more, all vectors are in host memory
  SlabShare slabShare;     // of this rank, where ranks divide the slabs
};

// The problem without its coils, maps and phases.
SenseProblem withoutCoils(const SenseProblem& problem);

// The maps, wherever they are.
std::vector<cfloat> hostMaps(const SenseProblem& problem);

// Throws Error where the transform has to be reproducible and the iterations end by the clock.
void requireRepeatable(const NufftOptions& nufft, const IterationOptions& iterations);

// Does the field (or decay) of the problem act at any sample?
bool fieldActs(const SenseProblem& problem);

// Throws Error where sizes do not fit, a shot has no phase map, or a map is not finite. Coil maps:
// `maps`.
void validate(const SenseProblem& problem, bool maps = true);

}  // namespace spokelab
