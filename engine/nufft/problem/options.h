// The options of a transform. Zero, or `automatic`, leaves the choice to the tuner.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/array.h"

namespace spokelab {

enum class KernelType { kaiserBessel, semicircle, prolate, gaussian, automatic };

// The source of kernel values ([nfft-jl] 3.7.4, [gnufftw] IV.B). Full precomputation is the method
// `sparse` or `cusparse`. The GPU has polynomials and linear tables, its tensor cores polynomials
// alone.
enum class Precomputation {
  automatic,
  polynomial,  // piecewise polynomials, evaluated for each point
  linear,      // a table, interpolated linearly; as dense as the accuracy needs
  tensor,      // CPU: the values of each point and dimension, stored
  none         // CPU: the kernel's formula, the baseline
};

// Implementation of one direction. CPU: blocked, sector, sparse. GPU: all but blocked (described
// where it is implemented, in cuda/nufft).
enum class Method {
  automatic,
  blocked,       // CPU: bin-sorted, cache-blocked, SIMD
  pointDriven,   // GM: one thread a point, global memory
  pointSorted,   // GM-sort: the same on bin-sorted points
  subproblem,    // SM: padded bins in shared memory, at most M_sub points each
  sector,        // CPU: tiles in private boxes; GPU: gpuNUFFT's sectors with load balancing
  outputDriven,  // tiles without shared-memory atomics
  fixedPoint,    // tiles with integer accumulation
  cell,          // 1-D: sums of the points of each cell, no atomics
  tensor,        // tensor cores
  sparse,        // precomputed matrix, our own product
  cusparse       // GPU: the same matrix, multiplied by NVIDIA's library
};

// True if the method stores all weights of all points.
constexpr bool storesMatrix(Method m) {
  return m == Method::sparse || m == Method::cusparse;
}

// The way in which several CPU threads share the points that they spread.
enum class Scheduler {
  automatic,
  tiles,  // tiles of one size (tile_schedule.h)
  graph   // partitions that follow the points ([multicore-nufft])
};

// The parts of the task scheduler. Each can be left out, to measure its gain. Scheduler::tiles has
// neither `variable` nor `reorder`.
enum class SchedulerPart : unsigned {
  variable = 1,  // partitions as wide as the points ask for; without it all have one width
  graph = 2,     // tasks wait for their neighbours; without it each turn waits for the turn before
  queue = 4,     // the largest ready task first; without it the first that became ready
  copies = 8,    // tasks with too many points are spread into private copies
  // A task's points are sorted by bins; without it they keep the order in which they were given.
  reorder = 16
};
inline constexpr unsigned allSchedulerParts = 31;

struct SchedulerChoice {
  Scheduler kind = Scheduler::automatic;
  unsigned off = 0;    // SchedulerParts that are left out
  int partitions = 0;  // P, for each dimension; 0: by the number of threads

  bool has(SchedulerPart part) const { return !(off & static_cast<unsigned>(part)); }
  bool operator==(const SchedulerChoice&) const = default;
};

// Spreading in two levels of sums where points crowd (kernel/crowding.h). With `off`, the predicted
// error leaves out the rounding of long sums.
enum class CrowdedSums { automatic, off };

// FFTW's effort to find a plan: by its cost model, or by timing some plans, or many.
enum class FftEffort { automatic, estimate, measure, patient };

enum class Direction { forward, adjoint, both, normal };

enum class NormalMethod {
  automatic,
  gridded,  // forward, weights, adjoint, by transforms that are planned for it (transformAccuracy)
  toeplitz,
  toeplitzShifted,
  // Gridded, by a finer plan that is made where it is first asked for: of a plan that is made for
  // its transforms.
  later
};

constexpr bool isToeplitz(NormalMethod m) {
  return m == NormalMethod::toeplitz || m == NormalMethod::toeplitzShifted;
}

// Share of the accuracy that a plan's transforms may err. A gridded normal operator is one after
// the other: aliases have the same sign and place in both, so that their errors add in phase.
constexpr double transformShare(NormalMethod m) {
  return m == NormalMethod::gridded ? 0.5 : 1;
}

// Names as the command line, wisdom and reports write them. The functions from a name throw Error
// for an unknown one, listing the known.

// "kaiser-bessel", "semicircle", "prolate", "gaussian", "auto"
std::string_view kernelName(KernelType);
// "auto", "polynomial", "linear", "tensor", "none"
std::string_view precomputationName(Precomputation);
// "auto", "blocked", "gm", "gm-sort", "sm", "sector", "output", "fixed", "cell", "tensor",
// "sparse", "cusparse"
std::string_view methodName(Method);
// "auto", "gridded", "toeplitz", "toeplitz-shifted", "later"
std::string_view normalMethodName(NormalMethod);
std::string_view directionName(Direction);      // "forward", "adjoint", "both", "normal"
std::string_view schedulerName(Scheduler);      // "auto", "tiles", "graph"
std::string_view crowdedSumsName(CrowdedSums);  // "auto", "off"
std::string_view fftEffortName(FftEffort);      // "auto", "estimate", "measure", "patient"
KernelType kernelFromName(std::string_view);
Precomputation precomputationFromName(std::string_view);
Method methodFromName(std::string_view);
NormalMethod normalMethodFromName(std::string_view);
Direction directionFromName(std::string_view);
Scheduler schedulerFromName(std::string_view);
CrowdedSums crowdedSumsFromName(std::string_view);
FftEffort fftEffortFromName(std::string_view);

// "variable,queue" and so on; empty for no part. Reading throws Error for an unknown part.
std::string schedulerPartsText(unsigned parts);
unsigned schedulerPartsFromText(std::string_view text);

struct NufftOptions {
  // Requested relative l2 error ([formulas], accuracy contract) of all that the plan does: forward,
  // adjoint and normal.
  double accuracy = 1e-3;
  // Oversampling ratio, (1, 2.5]; 0: 2, or the smallest that fits the width.
  double alpha = 0;
  // Least ratios of single dimensions (x, y, z), 1 to 2.5; 0: none. Dimension d has at least
  // max(alpha, axisAlpha[d]) times more cells than pixels. The kernel, and the error that it is
  // chosen for, follow alpha.
  std::array<double, 3> axisAlpha{0, 0, 0};
  double width = 0;  // full kernel width in grid cells; 0: smallest that meets the accuracy
  // Kaiser-Bessel, unless the tuner finds one that is narrower.
  KernelType kernel = KernelType::automatic;
  Precomputation precomputation = Precomputation::automatic;
  Method spread = Method::automatic;
  Method interpolate = Method::automatic;
  NormalMethod normal = NormalMethod::automatic;
  // Padded Toeplitz form: circular length over image size, >= 2; 0: the smallest.
  double toeplitzAlpha = 0;
  Index3 bins{0, 0, 0};       // bin or tile size in grid cells; 0: the implementation's choice
  SchedulerChoice scheduler;  // CPU, spreading on several threads
  CrowdedSums crowdedSums = CrowdedSums::automatic;
  FftEffort fftEffort = FftEffort::automatic;  // CPU; automatic: estimate, unless it is tuned
  int maxSubproblem = 0;  // GPU: points a subproblem (M_sub); 0: the implementation's choice
  // CPU: images of a batch that are interleaved: 1 or 4; 0: by the problem.
  int interleave = 0;
  int threads = 0;               // CPU threads; <= 0: all
  std::int64_t memoryLimit = 0;  // bytes a plan may take; 0: no limit
  // Results are bitwise the same from run to run, on the CPU with any number of threads: work is
  // shared out and added up in an order that follows from problem and points alone, methods whose
  // order is left to chance are refused, and no choice depends on measured times.
  bool reproducible = false;

  bool operator==(const NufftOptions&) const = default;
};

// Relative l2 error that each of a plan's transforms may have.
constexpr double transformAccuracy(const NufftOptions& o) {
  return o.accuracy * transformShare(o.normal);
}

// Methods of spreading and interpolation: "tensor", or "sm/gm-sort"; an open direction is not
// named.
std::string methodsText(const NufftOptions& options);

// The number of shares of the CPU's work where shares decide the order of sums: the threads of
// resolved options, or, with `reproducible`, this fixed number for every number of threads.
inline constexpr int reproducibleShares = 16;
constexpr int workShares(const NufftOptions& options) {
  return options.reproducible ? reproducibleShares : options.threads;
}

}  // namespace spokelab
