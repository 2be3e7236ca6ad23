// A SENSE problem of a slice (2-D) or a volume: trajectory, samples, maps, field, and how to
// transform. Its pointers own nothing: their memory must outlive the run that solves the problem
// (solve_sense.h). "The backend's memory" is the memory of the backend that solves, a GPU's or the
// host's.
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
  const double* placedPoints = nullptr;   // copy of `points` in the backend's memory; null: no copy
  std::vector<double> times;              // [sample] s from the field map's time origin, or empty
  std::vector<std::int64_t> shotOffsets;  // [shots + 1], first sample of each shot

  // Samples of each coil, [sample]: in the backend's memory if deviceImage is set, else in host
  // memory.
  std::vector<ComplexPointer> coils;
  // Finds the copies of coils' samples that it made in the backend's memory; null: no copies.
  std::shared_ptr<const CoilMixer> mixer;

  // The solver writes the image here: [pixel] in the backend's memory, in single precision. If set,
  // `coils` must point into that memory too, in single precision, with the samples of each
  // shot group one after the other. Null: the image goes to hostImage.
  cfloat* deviceImage = nullptr;
  // The solver writes the image here: [pixel] in host memory, in single precision. Null, double
  // precision or several map sets: SenseSolution::image holds it.
  cfloat* hostImage = nullptr;

  std::vector<cfloat> maps;                        // [set, coil, pixel]; empty if backendMaps is set
  std::shared_ptr<const BackendMaps> backendMaps;  // the maps in the backend's memory; null: use `maps`
  int mapSets = 1;                                 // 2: soft SENSE, an image a set
  // [coefficient] of a frame that is found together with others (joint_solver.h): its image is the
  // sum of these times the unknown images. Empty: the image is an unknown.
  std::vector<cdouble> basis;
  // Frames of one number follow each other in time, and jumps between them count.
  int train = 0;
  bool basisKernels = false;                   // basis_kernels.h; the basis is real
  SharedValues weights;                        // [sample], or empty: ones
  std::vector<std::vector<double>> phases;     // pcSENSE: [shot][pixel] rad; empty: SENSE
  std::vector<int> shots;                      // numbers of the shots that are used; empty: all
  std::vector<double> field, decay, gradient;  // as in GdftProblem
  PhaseForms forms;                            // likewise
  TransformKind transform = TransformKind::nufft;
  SegmentInterpolator interpolator = SegmentInterpolator::svd;
  int segments = 0;      // time segments of `segmented`; 0: the number that the accuracy takes
  int convolutions = 0;  // Toeplitz convolutions of `segmentedToeplitz`; 0: likewise
  NufftOptions nufft;
  Precision precision = Precision::single;
  std::int64_t batch = 1;  // coils a call of the NUFFT
  std::int64_t slabs = 1;  // of the transform nufft; with more, all vectors are in host memory
  SlabShare slabShare;     // of this rank, where ranks divide the slabs
};

// The part of a problem that its transform depends on: trajectory, weights, field, transform and
// precision, without coils, maps, phases, basis and the places of images.
SenseProblem transformPart(const SenseProblem& problem);

// The maps, wherever they are.
std::vector<cfloat> hostMaps(const SenseProblem& problem);

// Throws Error where the transform has to be reproducible and the iterations end by the clock.
void requireRepeatable(const NufftOptions& nufft, const IterationOptions& iterations);

// Does the field (or decay) of the problem act at any sample?
bool fieldActs(const SenseProblem& problem);

// Throws Error where sizes do not fit, a shot has no phase map, or a map is not finite. maps: false
// leaves the coil maps unchecked.
void validate(const SenseProblem& problem, bool maps = true);

}  // namespace spokelab
