#include "engine/recon/job/job_memory.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/job/coils_at_once.h"
#include "engine/recon/job/plain_nufft.h"
#include "engine/recon/operators/exact_sum_rows.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/options/solver_choice.h"

namespace spokelab {
namespace {

// Vectors of a solver, each as large as its unknown (the images that one solve finds). They follow
// the solvers' code: if a solver keeps another vector, raise its number. With a number that is too
// small a job runs out of memory in the middle; one that is too large refuses jobs that would fit.
constexpr double conjugateGradientVectors = 5;
constexpr double fistaVectors = 9;           // the wavelets' among them
constexpr double jumpVectors = 4;            // more of jumps between frames
constexpr double overlapVectors = 2;         // more of blocks that overlap
constexpr double lowRankSparseVectors = 20;  // of images; its unknowns are two
constexpr double likelyAlpha = 1.5;          // where the tuner has yet to choose

double iterationVectors(const JobPlan& plan) {
  const auto recipePrior = plan.recipe->regularization;
  // An image and its coils' maps each, three of coil images and three of the image.
  if (plan.recipe->findsMaps)
    return (3 + conjugateGradientVectors) * (1 + plan.coils) + 3.0 * (plan.coils + 1);
  const bool varies = plan.options.iterative.solver.regularization == Regularization::totalVariation;
  // Two dual variables, one an axis, of four vectors each.
  const double bothJumps = fistaVectors + 1 + 4 * (1 + plan.dims);
  if (!recipePrior) return varies && plan.recipe->joinsFrames ? bothJumps : conjugateGradientVectors;
  if (*recipePrior == Regularization::temporalVariation)
    return plan.options.iterative.solver.spatialWeight > 0 ? bothJumps : fistaVectors + jumpVectors;
  if (*recipePrior == Regularization::generalizedVariation) {
    const double pairs = plan.dims * (plan.dims + 1) / 2.0;  // of axes
    return fistaVectors + 2 + 4 * plan.dims + 2 * pairs;
  }
  if (*recipePrior == Regularization::lowRankSparse) return lowRankSparseVectors;
  const bool overlaps = *recipePrior == Regularization::locallyLowRank &&
                        plan.options.iterative.solver.blockPlaces == BlockPlaces::overlap;
  return fistaVectors + (overlaps ? overlapVectors : 0);
}

// Plans at a time: a frame each if solved together, and one for each kernel of a temporal basis.
double plansTogether(const JobPlan& plan) {
  const double kernels =
      plan.basisKernels ? double(plan.basis.coefficients) * (plan.basis.coefficients + 1) / 2 : 0;
  return (plan.pointsMove ? double(plan.framesPerUnknown) : 1) + kernels;
}

double numberBytes(const JobPlan& plan) {
  return plan.options.inDouble() ? sizeof(cdouble) : sizeof(cfloat);
}

// The number of exact transforms: pcSENSE has one for each shot, with the shot's own field.
double exactSums(const JobPlan& plan) {
  return plan.options.iterative.method == ReconMethod::pcSense ? double(plan.shots) : 1;
}

bool combinesAdaptively(const JobPlan& plan) {
  return !plan.iterates && plan.coils > 1 && plan.options.combination == Combination::adaptive;
}

// The options of the plan that the job will probably make, where the tuner has yet to choose.
NufftOptions likelyPlan(const JobPlan& plan) {
  NufftOptions options = plan.options.nufft;
  if (!(options.alpha > 0)) options.alpha = likelyAlpha;
  if (plan.iterates) options = plainNufft(plan.options.iterative.transform, options);
  if (plan.slabs > 1) options.normal = plan.iterates ? NormalMethod::gridded : NormalMethod::later;
  return options;
}

// Bytes of the samples that primal-dual steps or LSMR keep, in several vectors.
double dualBytes(const JobPlan& plan) {
  constexpr double dualVectors = 10;
  return keepsSamples(plan) ? dualVectors * plan.coils * double(plan.mostSamples()) * numberBytes(plan) : 0;
}

// Bytes beside the NUFFT's plan on a device that does all of the job.
double besidePlan(const JobPlan& plan) {
  const double coils = plan.coils, number = numberBytes(plan);
  double bytes = deviceVectorBytes(plan) + (combinesAdaptively(plan) ? coils * plan.pixels * number : 0);
  // Samples that are mixed there or sent ahead: of a frame, and of the one after it.
  if (!plan.options.inDouble())
    bytes += coils * double(plan.samples.front()) * sizeof(cfloat) * std::min<double>(2, plan.framesHeld);
  if (plan.iterates && isExact(plan.options.iterative.transform) && plan.options.nufft.reproducible &&
      !plan.options.inDouble())
    bytes += exactSums(plan) * double(maxGdftRowBytes);
  return bytes;
}

// Bytes of the smallest plan that a place can make for one set of points; 0: unknown.
double leastPlanBytes(const JobPlan& plan, const JobMachine::Place& place) {
  constexpr int plansTried = 3;  // of the smallest ratios that reach the accuracy
  NufftOptions options = plan.options.nufft;
  if (plan.iterates) options = plainNufft(plan.options.iterative.transform, options);
  if (options.normal == NormalMethod::automatic)
    options.normal = plan.iterates ? NormalMethod::gridded : NormalMethod::later;
  std::vector<NormalMethod> normals{options.normal};
  if (options.normal != plan.options.nufft.normal && isToeplitz(options.normal))
    normals.push_back(NormalMethod::toeplitzShifted);
  const std::vector<double> alphas =
      options.alpha > 0 ? std::vector<double>{options.alpha} : fastAlphas(plan.problem, options.axisAlpha);
  double least = 0;
  for (const NormalMethod normal : normals) {
    int tried = 0;
    for (const double alpha : alphas) {
      options.alpha = alpha;
      options.normal = normal;
      try {
        const auto bytes = double(place.backend->estimateMemory(plan.problem, options, plan.samples.front()));
        least = least > 0 ? std::min(least, bytes) : bytes;
        if (++tried == plansTried) break;
      } catch (const Error&) {
        continue;  // out of the accuracy's reach
      }
    }
  }
  return least;
}

double leastPlanBytes(const JobPlan& plan, const JobMachine& machine) {
  if (machine.places.empty() || plan.slabs > 1 || plan.mayHaveField) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const JobMachine::Place& place : machine.places) least = std::min(least, leastPlanBytes(plan, place));
  return least;
}

}  // namespace

bool keepsSamples(const JobPlan& plan) {
  const IterationSolver solver = solverOf(plan.options);
  return solver == IterationSolver::lsmr || solver == IterationSolver::primalDual ||
         solver == IterationSolver::preconditionedDual;
}

double deviceVectorBytes(const JobPlan& plan) {
  if (!plan.iterates) return 0;
  return (plan.coils + iterationVectors(plan) * plan.imagesPerUnknown()) * plan.mapSets * plan.pixels *
             numberBytes(plan) +
         dualBytes(plan);
}

double hostBytes(const JobPlan& plan) {
  const ReconOptions& options = plan.options;
  const double slices = plan.dims < 3 ? double(plan.slices.size()) : 1;
  const double coils = plan.coils, pixels = plan.pixels, number = numberBytes(plan);
  const auto samples = double(plan.samples.front()), atOnce = double(plan.coilsAtOnce);
  const auto stored = double(Scan::bytesPerSample(options.inDouble()));
  double bytes = (plan.separatesCoils ? coils : plan.framesHeld) * slices * pixels * stored;
  bytes += (2 * double(plan.dims) + 1) * samples * sizeof(double);  // points for plan and tuner, weights
  if (plan.coils < plan.coilsMeasured)
    for (int f = 0; f < plan.framesHeld; ++f)
      bytes += double(plan.slicesHeld) * coils * double(plan.samples[std::size_t(f)]) * stored;
  if (plan.slabs > 1) bytes += slabBytes(plan.whole, plan.slabs, plan.samples.front(), plan.iterates);
  if (plan.iterates) {
    const double unknowns = plan.mapSets * pixels * plan.imagesPerUnknown();
    const double vectors =
        iterationVectors(plan) + keptResiduals(recipeIterations(options), std::int64_t(unknowns * number));
    // Maps as estimated and as iterated; images and samples of the coils transformed at once.
    return bytes + coils * (sizeof(cfloat) + number) * plan.mapSets * pixels + vectors * number * unknowns +
           atOnce * (pixels + samples) * number + dualBytes(plan);
  }
  bytes += (options.exact ? 1 : atOnce) * (pixels + samples) * number + (options.exact ? 0 : pixels * number);
  if (coils > 1 && options.combination == Combination::rootSumSquares) bytes += pixels * sizeof(double);
  if (combinesAdaptively(plan)) bytes += coils * pixels * number;
  return bytes;
}

JobMemory memoryOf(const JobPlan& plan, const JobMachine& machine) {
  JobMemory memory;
  memory.host = hostBytes(plan);
  if (plan.options.exact) return memory;
  double onHost = 0;  // one backend is chosen
  for (const JobMachine::Place& place : machine.places) {
    double bytes = 0;
    try {
      bytes = plansTogether(plan) *
              double(place.backend->estimateMemory(plan.problem, likelyPlan(plan), plan.samples.front()));
    } catch (const Error&) {
      continue;  // nobody can plan that: the job will say why
    }
    if (!place.isDevice)
      onHost = std::max(onHost, bytes);
    else
      memory.device = bytes + (plan.slabs > 1 ? 0 : besidePlan(plan));  // of slabs, all else is on the host
  }
  memory.host += onHost;
  return memory;
}

void fitCoilsInto(JobPlan& plan, double room) {
  // Memory that happens to be free must not change what a reproducible job computes.
  if (plan.options.exact || plan.options.nufft.reproducible || hostBytes(plan) <= room) return;
  JobPlan fewer = plan;
  for (std::int64_t count = plan.coilsAtOnce / 2; count > 0; count /= 2) {
    fewer.options.coilsAtOnce = int(count);
    fewer.coilsAtOnce = fewer.whole.batch = coilsTransformedAtOnce(fewer);
    if (hostBytes(fewer) > room) continue;
    fewer.notes.push_back(countText(count, "coil", "coils") + " at a time instead of " +
                          std::to_string(plan.coilsAtOnce) + ", to fit into memory");
    plan = std::move(fewer);
    return;
  }
}

void requireRoomForPlan(const JobPlan& plan, const JobMachine& machine, const std::string& scanName) {
  const ReconOptions& options = plan.options;
  if (options.exact || (plan.iterates && isExact(options.iterative.transform))) return;
  const double image = double(plan.problem.pixels()) * numberBytes(plan);
  const auto limit = double(options.nufft.memoryLimit);
  if (limit <= 0) return;
  const double least = image > limit ? image : leastPlanBytes(plan, machine);
  if (least <= limit) return;
  throw Error(
      "Cannot reconstruct " + scanName + " by " + std::string(recipeOf(options.iterative.method).title),
      (image > limit ? "a plan's grid is at least as large as the image, " : "the smallest plan takes ") +
          bytesText(least) + ", and the limit is " + bytesText(limit),
      "Allow more memory (memory-limit), or use a smaller matrix (decision matrix)");
}

void requireMemoryFor(const JobPlan& plan, const std::string& scanName) {
  requireMemory(
      hostBytes(plan), "Cannot reconstruct " + scanName,
      "a matrix of " + sizeText(plan.matrix, plan.dims) + " with " + countText(plan.coils, "coil", "coils"),
      "Use a smaller matrix (decision matrix), fewer frames, slices or coils, fewer coils at once, or "
      "single precision");
}

}  // namespace spokelab
