// The options of a transform, and their rows of the tables of options
// (core/options/option_table.h). Zero, or `automatic`, leaves the choice to the tuner.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/options/option_spec.h"

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
  // For a plan that is made for its transforms: gridded, by a finer plan that is made when normal()
  // is first called.
  later
};

constexpr bool isToeplitz(NormalMethod m) {
  return m == NormalMethod::toeplitz || m == NormalMethod::toeplitzShifted;
}

// Share of the accuracy that the error of each of a plan's transforms may have. A gridded normal
// operator is a forward and an adjoint transform: aliases have the same sign and place in both, so
// that their errors add in phase.
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
  // Padded Toeplitz form: circular length over image size, 1.5 to 4; 0: the smallest.
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

inline constexpr double maxAlpha = 2.5;  // that plans take

// The rows of the fields of NufftOptions but the accuracy, which jobs may take from a scan's noise.
// `of` takes options, constant or not, to their NufftOptions.
template <class Rows, class Of>
void addNufftRows(Rows& rows, Of of) {
  static constexpr KernelType kernels[] = {KernelType::automatic, KernelType::kaiserBessel,
                                           KernelType::semicircle, KernelType::prolate, KernelType::gaussian};
  static constexpr Precomputation precomputations[] = {Precomputation::automatic, Precomputation::polynomial,
                                                       Precomputation::linear, Precomputation::tensor,
                                                       Precomputation::none};
  static constexpr Method methods[] = {Method::automatic,    Method::blocked,    Method::pointDriven,
                                       Method::pointSorted,  Method::subproblem, Method::sector,
                                       Method::outputDriven, Method::fixedPoint, Method::cell,
                                       Method::tensor,       Method::sparse,     Method::cusparse};
  static constexpr NormalMethod normals[] = {NormalMethod::automatic, NormalMethod::gridded,
                                             NormalMethod::toeplitz, NormalMethod::toeplitzShifted};
  static constexpr Scheduler schedulers[] = {Scheduler::automatic, Scheduler::tiles, Scheduler::graph};
  static constexpr CrowdedSums crowdedSums[] = {CrowdedSums::automatic, CrowdedSums::off};
  static constexpr FftEffort fftEfforts[] = {FftEffort::automatic, FftEffort::estimate, FftEffort::measure,
                                             FftEffort::patient};
  static constexpr double bytesPerGigabyte = 1e9;
  constexpr IdleRule<NufftOptions> tilesOnly{
      [](const NufftOptions& o) { return o.scheduler.kind == Scheduler::tiles; },
      "Tiles have no task graph: choose the scheduler graph"};
  constexpr IdleRule<NufftOptions> notPadded{[](const NufftOptions& o) {
                                               return o.normal != NormalMethod::automatic &&
                                                      o.normal != NormalMethod::toeplitz;
                                             },
                                             "Only the padded Toeplitz form (normal = toeplitz) uses it"};

  rows.number(
          "alpha", "Oversampling ratio α", OptionType::number, 1.0001, maxAlpha, "",
          "Size of the oversampled grid over the image's size; auto: tuned", "Plan",
          true, [of](auto& o) -> auto& { return of(o).alpha; })
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::forecast})
      .key("alpha", OptionKey::always);
  rows.perAxis(
          "axis-alpha", "Least α of each dimension", "",
          "Least oversampling ratios of the grid along x, y, z, as in 1x1x2 (1: no more than α); the "
          "kernel follows α; auto: α everywhere",
          "Plan", maxAlpha,
          "ratios from 1 to 2.5, like 1x1.5x2", [of](auto& o) -> auto& { return of(o).axisAlpha; })
      .serves({OptionUse::transform, OptionUse::type3})
      .key("axisAlpha", OptionKey::ifSet);
  rows.number(
          "width", "Kernel width W", OptionType::number, 1, 16, "grid cells",
          "Full width of the kernel in grid cells, any real number; auto: the smallest that meets the "
          "accuracy",
          "Plan", true, [of](auto& o) -> auto& { return of(o).width; })
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::forecast})
      .key("width", OptionKey::always);
  rows.choice(
          "kernel", "Kernel", kernels, OptionNames<KernelType>{kernelName, kernelFromName},
          "Spreading kernel; the Gaussian is there for reference; auto: tuned, Kaiser-Bessel where that is "
          "as narrow",
          "Plan", [of](auto& o) -> auto& { return of(o).kernel; })
      .serves({OptionUse::transform, OptionUse::type3})
      .key("kernel", OptionKey::always);
  rows.choice(
          "precomputation", "Precomputation", precomputations,
          OptionNames<Precomputation>{precomputationName, precomputationFromName},
          "CPU: source of kernel values: polynomials, a linear table, values stored for each point, or the "
          "kernel itself; auto: tuned, polynomials where nothing is timed",
          "Plan", [of](auto& o) -> auto& { return of(o).precomputation; })
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::cpu})
      .key("precomputation", OptionKey::newer);
  constexpr OptionNames<Method> methodNames{methodName, methodFromName};
  rows.choice(
          "spread", "Spreading method", methods, methodNames,
          "Method that spreads samples onto the grid; auto: tuned among the backend's methods",
          "Plan", [of](auto& o) -> auto& { return of(o).spread; })
      .serves({OptionUse::transform})
      .key("spread", OptionKey::always);
  rows.choice(
          "interpolate", "Interpolation method", methods, methodNames,
          "Method that interpolates the grid at the samples; auto: tuned among the backend's methods",
          "Plan", [of](auto& o) -> auto& { return of(o).interpolate; })
      .serves({OptionUse::transform})
      .key("interpolate", OptionKey::always);
  rows.choice(
          "normal", "Normal operator", normals,
          OptionNames<NormalMethod>{normalMethodName, normalMethodFromName},
          "Way to apply forward, weights and adjoint together: over the grid, or as a convolution with the "
          "point spread function (toeplitz: padded; toeplitz-shifted: without a padded grid); auto: tuned "
          "where the normal operator is, else the backend's choice",
          "Plan", [of](auto& o) -> auto& { return of(o).normal; })
      .serves({OptionUse::transform, OptionUse::normal})
      .key("normal", OptionKey::always);
  rows.number(
          "toeplitz-alpha", "Toeplitz ratio α_T", OptionType::number, 1.5, 4, "",
          "Padded Toeplitz form: circular length over image size, rounded up to a fast size; auto: tuned "
          "where the normal operator is, else the smallest",
          "Plan", true, [of](auto& o) -> auto& { return of(o).toeplitzAlpha; })
      .serves({OptionUse::transform, OptionUse::normal})
      .idle(of, {notPadded})
      .key("toeplitzAlpha", OptionKey::newer);
  rows.perAxis(
          "bins", "Bin size", "grid cells",
          "Bin or tile size in grid cells along x, y, z, as in 16x16x8; auto: the method's choice", "Plan",
          std::numeric_limits<std::int64_t>::max(),
          "sizes like 16x16x8", [of](auto& o) -> auto& { return of(o).bins; })
      .serves({OptionUse::transform})
      .key("bins", OptionKey::always);
  rows.choice(
          "scheduler", "Scheduler", schedulers, OptionNames<Scheduler>{schedulerName, schedulerFromName},
          "CPU, spreading on several threads: a graph of tasks over tiles of one size, or over partitions "
          "that follow the samples; auto: tuned, tiles where nothing is timed",
          "Plan", [of](auto& o) -> auto& { return of(o).scheduler.kind; })
      .serves({OptionUse::transform, OptionUse::cpu})
      .key("scheduler", OptionKey::newer);
  rows.coded(
          "scheduler-off", "Left out of the graph",
          "Parts of the task graph to leave out, to see what they gain, as in queue,private: variable "
          "(widths that follow the samples), graph (no barriers), queue (largest task first), private "
          "(copies of crowded partitions), reorder (a task's samples by small boxes); empty: nothing",
          "Plan", "nothing", OptionText<unsigned>{schedulerPartsText, schedulerPartsFromText},
          [of](auto& o) -> auto& { return of(o).scheduler.off; })
      .serves({OptionUse::transform, OptionUse::cpu})
      .idle(of, {tilesOnly})
      .key("schedulerOff", OptionKey::newer);
  rows.number(
          "partitions", "Partitions", OptionType::integer, 1, 1024, "a dimension",
          "Task graph: partitions wanted in each dimension; auto: by the threads, tuned", "Plan",
          true, [of](auto& o) -> auto& { return of(o).scheduler.partitions; })
      .serves({OptionUse::transform, OptionUse::cpu})
      .idle(of, {tilesOnly})
      .key("partitions", OptionKey::newer);
  rows.number(
          "max-subproblem", "Points a subproblem", OptionType::integer, 1, 1 << 20, "points",
          "GPU subproblem method: most points in one subproblem; auto: the method's choice", "Plan",
          true, [of](auto& o) -> auto& { return of(o).maxSubproblem; })
      .serves({OptionUse::transform, OptionUse::gpu})
      .key("maxSubproblem", OptionKey::always);
  rows.choice(
          "crowded-sums", "Crowded points", crowdedSums,
          OptionNames<CrowdedSums>{crowdedSumsName, crowdedSumsFromName},
          "auto: where samples crowd, sums are made in two levels, so that no digits are lost; off: summed "
          "like the others, to compare methods, and the predicted error leaves out what that rounds",
          "Plan", [of](auto& o) -> auto& { return of(o).crowdedSums; })
      .serves({OptionUse::transform})
      .key("crowdedSums", OptionKey::ifSet);
  rows.choice(
          "fft-effort", "FFTW's planner", fftEfforts,
          OptionNames<FftEffort>{fftEffortName, fftEffortFromName},
          "CPU: how long FFTW looks for its plans: estimate, measure or patient; what it measures is kept "
          "beside the wisdom; auto: tuned where FFTs take long, else estimate",
          "Plan", [of](auto& o) -> auto& { return of(o).fftEffort; })
      .serves({OptionUse::transform, OptionUse::cpu})
      .key("fftEffort", OptionKey::ifSet);
  rows.number(
          "images-together", "Images together", OptionType::integer, 1, 4, "",
          "CPU: coils of an execution that share kernel values, their grids side by side: 4, or 1 for one "
          "by one; auto: tuned, 4 where the memory limit holds so large a grid",
          "Plan", true, [of](auto& o) -> auto& { return of(o).interleave; })
      .serves({OptionUse::transform, OptionUse::cpu})
      .key("imagesTogether", OptionKey::newer);
  rows.number(
          "threads", "Threads", OptionType::integer, 1, 1024, "", "CPU threads; auto: all", "Plan",
          true, [of](auto& o) -> auto& { return of(o).threads; })
      .serves({OptionUse::transform, OptionUse::type3})
      .key("threads", OptionKey::always);
  rows.flag(
          "reproducible", "Reproducible",
          "Images bitwise the same from run to run, with any number of threads: sums in a fixed order, the "
          "plan by the cost model alone, on the GPU only methods that add in order; what that costs is told "
          "with the plan",
          "Plan", [of](auto& o) -> auto& { return of(o).reproducible; })
      .serves({OptionUse::transform})
      .key("reproducible", OptionKey::ifSet);
  rows.number(
          "memory-limit", "Memory limit", OptionType::number, 1e-3, 1e5, "GB",
          "Memory that a plan may take; it also bounds the coils and frames that are worked on together; "
          "auto: no limit",
          "Plan", true, [of](auto& o) -> auto& { return of(o).memoryLimit; }, bytesPerGigabyte)
      .serves({OptionUse::transform, OptionUse::type3})
      .key("memoryLimit", OptionKey::always);
}

}  // namespace spokelab
