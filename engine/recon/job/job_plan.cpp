#include "engine/recon/job/job_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/job/coils_at_once.h"
#include "engine/recon/job/given_maps.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/job/job_slabs.h"
#include "engine/recon/job/noise_accuracy.h"
#include "engine/recon/job/time_trains.h"
#include "engine/recon/options/denoiser.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/options/solver_choice.h"

namespace spokelab {
namespace {

// A volume has planes, which are transformed together.
std::vector<int> slicesAskedFor(const Scan& scan, const ReconOptions& options) {
  if (scan.dims() == 3 && !options.slices.empty())
    throw Error("Cannot reconstruct slices " + options.slices + " of " + scan.name,
                "the scan is 3-D: its volume is reconstructed as a whole, all " +
                    std::to_string(scan.geometry.matrix[2]) + " planes at once",
                "Leave out slices (--slices); every plane is in the image");
  return selection(options.slices, scan.slices, "slices");
}

std::vector<int> coilsAskedFor(const Scan& scan, const ReconOptions& options) {
  std::vector<int> keptCoils = selection(options.coils, scan.coils, "coils");
  if (options.leaveOutCoils.empty()) return keptCoils;
  for (const int coil : selection(options.leaveOutCoils, scan.coils, "leave-out-coils"))
    std::erase(keptCoils, coil);
  if (keptCoils.empty())
    throw Error("Cannot reconstruct " + scan.name,
                options.coils.empty() ? "all its coils are left out" : "the coils to use are all left out",
                "Leave out fewer (leave-out-coils), or use more (coils)");
  return keptCoils;
}

// Sets, segments and slices do not follow each other.
bool hasOrder(const FrameAxis& axis) {
  return axis.size > 1 && axis.meaning != FrameMeaning::set && axis.meaning != FrameMeaning::segment &&
         axis.meaning != FrameMeaning::slice;
}

// Throws Error where the method cannot reconstruct such a scan.
void requireMethodFits(const JobPlan& plan, const std::string& scanName) {
  const Recipe& recipe = *plan.recipe;
  const std::string summary = "Cannot reconstruct " + scanName + " by " + std::string(recipe.title);
  const bool phases = plan.frameAxes.find(FrameMeaning::phase).has_value();
  if (recipe.method == ReconMethod::xdGrasp && !phases)
    throw Error(summary, "its frames are not bins of breathing, nor phases of the heart",
                "Read the scan with bins (--set breathing=4), or use the method grasp");
  if (recipe.joinsFrames && plan.frames.size() < 2)
    throw Error(
        summary,
        std::string(recipe.usesBasis ? "its basis is one over frames"
                                     : "it compares frames with each other") +
            ", and there is one",
        std::string("Keep frames apart that the reader merged (see its decision frames), ask for more of "
                    "them, divide the shots into frames, or use the method ") +
            (recipe.usesBasis ? "sense" : "wavelet"));
  const auto& axes = plan.frameAxes.axes;
  const bool inTime = recipe.regularization == Regularization::temporalVariation ||
                      recipe.regularization == Regularization::lowRankSparse;
  if (inTime && !axes.empty() && std::none_of(axes.begin(), axes.end(), hasOrder))
    throw Error(summary,
                "it compares frames that follow each other, and the frames are " + plan.frameAxes.summary(),
                "Use a method that asks for no order of frames: llr, low-rank, joint-wavelet");
  const std::vector<int> trains = timeTrains(plan);
  if (inTime && *std::max_element(trains.begin(), trains.end()) + 1 == int(trains.size()))
    throw Error(
        summary,
        "it compares frames that follow each other in time, and no two differ in time alone: they are " +
            plan.frameAxes.summary(),
        "Keep several times of an echo or set (frames), or use the method llr");
  if (recipe.findsMaps && plan.coils < 2)
    throw Error(summary, "it finds coil maps, and there is one coil",
                "Use a scan of several coils, or the method sense");
  if (recipe.coilImages && plan.coils < 2)
    throw Error(summary, "it compares the images of coils, and there is one coil",
                "Use a scan of several coils, or the method wavelet");
  if (recipe.usesBasis && plan.options.iterative.mapSets > 1)
    throw Error(summary, "two sets of coil maps make two images of each coefficient",
                "Use one set (coil-map-sets)");
  requireSolver(plan.options, summary);
  if (!recipe.matchesFingerprints && recipe.usesBasis &&
      plan.options.iterative.subspace.images == SubspaceImages::maps)
    throw Error(summary, "it has no dictionary that tells T1 and T2",
                "Use subspace-images = frames or coefficients, or the method mrf");
  if (recipe.regularization == Regularization::denoiser && !plan.options.iterative.ownDenoiser.get()) {
    if (plan.options.iterative.denoiser.empty())
      throw Error(summary, "it iterates with a denoiser, and none is given",
                  "Name its file (denoiser): a plug-in in C or Python, or an ONNX model");
    checkDenoiserFile(plan.options.iterative.denoiser);
  }
  const bool divides = recipe.regularization == Regularization::wavelets ||
                       recipe.regularization == Regularization::jointWavelets;
  const std::int64_t least = minWaveletLength(plan.options.iterative.solver.family);
  if (divides && *std::max_element(plan.matrix.begin(), plan.matrix.end()) < least)
    throw Error(summary, "a matrix of " + sizeText(plan.matrix, plan.dims) + " is too small",
                "Use a matrix of at least " + std::to_string(least) + " pixels, or the method sense");
}

// Why the normal operator of the basis cannot be kernels for pairs of coefficients; empty: it can.
std::string whyNoBasisKernels(const JobPlan& plan) {
  const ReconOptions& options = plan.options;
  const TransformKind kind = options.iterative.transform;
  const std::vector<cdouble>& values = plan.basis.values;
  if (std::any_of(values.begin(), values.end(), [](const cdouble& v) { return v.imag() != 0; }))
    return "the basis is not real";
  if (options.exact) return "exact sums have no grid";
  if (plan.mayHaveField) return "a field may act";
  if (kind != TransformKind::automatic && kind != TransformKind::nufft && kind != TransformKind::toeplitz)
    return "the transform is " + std::string(transformName(kind));
  if (options.nufft.normal == NormalMethod::gridded) return "the normal operator is gridded";
  return {};
}

bool usesBasisKernels(const JobPlan& plan, const std::string& summary) {
  if (plan.basis.empty()) return false;
  const int pairs = plan.basis.coefficients * plan.basis.coefficients;  // a convolution each
  const std::string why = whyNoBasisKernels(plan);
  switch (plan.options.iterative.subspace.normal) {
    case BasisNormal::automatic:
      return why.empty() && plan.pointsMove && pairs < plan.framesPerUnknown;
    case BasisNormal::kernels:
      if (!why.empty())
        throw Error(summary, "there are no kernels of the basis: " + why,
                    "Use basis-normal = frames, or auto");
      return true;
    case BasisNormal::frames:
      break;
  }
  return false;
}

// Frames, slices, coils and samples, and what the options say about their way to an image.
JobPlan outline(const Scan& scan, const ReconOptions& asked, int framesInFile) {
  JobPlan plan;
  plan.options = withRecipeDefaults(asked);
  if (lacksMapSet(scan, plan.options.iterative)) plan.options.iterative.coilMaps = "espirit";
  const ReconOptions& options = plan.options;
  plan.coilsAtOnceAsked = options.coilsAtOnce;
  plan.slabsAsked = options.slabs;
  plan.dims = scan.dims();
  for (std::size_t d = 0; d < std::size_t(plan.dims); ++d) {
    plan.matrix[d] = scan.geometry.matrix[d];
    plan.pixels *= double(plan.matrix[d]);
  }
  plan.frames = selection(options.frames, std::max(framesInFile, scan.frames), "frames");
  plan.slices = slicesAskedFor(scan, options);
  if (scan.frameAxes.frames() > *std::max_element(plan.frames.begin(), plan.frames.end()))
    plan.frameAxes = scan.frameAxes.select(plan.frames);
  for (const int f : plan.frames)
    plan.samples.push_back(scan.trajectory(std::min(f, scan.frames - 1)).samples());
  plan.shots = scan.trajectory(std::min(plan.frames.front(), scan.frames - 1)).shots();
  plan.pointsMove = scan.trajectories.size() > 1 || !options.scanWindow.empty();
  plan.framesHeld = std::min(int(plan.frames.size()), scan.frames);
  plan.slicesHeld = scan.slices;
  plan.coilsMeasured = scan.coils;
  plan.coilsKept = coilsAskedFor(scan, options);
  if (options.accuracyByNoise) {
    const NoiseAccuracy found = accuracyByNoise(scan, std::min(plan.frames.front(), scan.frames - 1),
                                                plan.coilsKept, NufftOptions{}.accuracy);
    setAccuracy(plan.options, found.accuracy);
    plan.notes.push_back("accuracy: " + found.reason);
  }
  plan.coils = int(plan.coilsKept.size());
  if (options.virtualCoils > 0) plan.coils = std::min(plan.coils, options.virtualCoils);
  const Recipe& recipe = recipeOf(options);
  plan.recipe = &recipe;
  plan.iterates = recipe.iterates;
  if (recipe.joinsFrames) plan.framesPerUnknown = int(plan.frames.size());
  requireMethodFits(plan, scan.name);
  if (recipe.usesBasis)
    plan.basis =
        temporalBasis({"Cannot reconstruct " + scan.name + " by " + std::string(recipe.title), plan.frames,
                       std::max(framesInFile, scan.frames), plan.frameAxes, recipe.matchesFingerprints},
                      options.iterative.subspace);
  plan.separatesCoils = !plan.iterates && options.combination == Combination::none;
  plan.mayHaveField = mayHaveField(scan, options.iterative);
  plan.estimatesMaps = plan.iterates && estimatesMaps(scan, options.iterative);
  plan.mapSets = plan.iterates && !recipe.findsMaps && !recipe.coilImages ? options.iterative.mapSets : 1;
  plan.basisKernels = usesBasisKernels(plan, "Cannot reconstruct " + scan.name);
  plan.whyNotInSlabs = reasonAgainstSlabs(plan);
  plan.whole.dims = plan.dims;
  plan.whole.size = plan.matrix;
  plan.whole.precision = options.precision;
  plan.whole.measure = options.measure;
  const bool normalOpen = plan.iterates && options.iterative.transform == TransformKind::automatic &&
                          options.nufft.normal == NormalMethod::automatic;
  plan.planIsGiven = options.nufft.alpha > 0 && options.nufft.width > 0 && !normalOpen;
  return plan;
}

// Coils of a combined image can be divided where it is their sum.
JobParts partsOf(const JobPlan& plan) {
  // A denoiser may give each rank another image; some solvers keep the samples of all coils.
  const bool denoises = plan.recipe->regularization == Regularization::denoiser || keepsSamples(plan);
  const Recipe& recipe = *plan.recipe;
  const bool summed = plan.iterates
                          ? !recipe.joinsFrames && !recipe.findsMaps && !recipe.coilImages && !denoises
                          : plan.options.combination == Combination::rootSumSquares;
  JobParts parts;
  // Frames that start from the last one's image cannot be divided.
  const bool follow = plan.recipe->findsMaps && plan.options.iterative.solver.framePrior > 0;
  parts.frames = plan.separatesCoils || follow ? 1 : int(plan.frames.size()) / plan.framesPerUnknown;
  if (plan.dims < 3 && !plan.keepsCoefficients() && !plan.keepsMaps()) parts.slices = int(plan.slices.size());
  if (summed) parts.coils = plan.coils;
  if (plan.dividesSlabs() && !denoises) parts.slabs = int(plan.slabs);
  return parts;
}

// The number of frames with different points that one call may take; 1: frames share their points
// or are large, coils are kept apart or do not fit into one call, or the result has to be
// reproducible.
int framesAtOnce(const JobPlan& plan) {
  constexpr double maxBytes = 1 << 27;  // of images and samples: more at a time gains nothing
  const ReconOptions& options = plan.options;
  if (plan.iterates || plan.frames.size() < 2 || !plan.pointsMove ||
      options.combination == Combination::none || options.nufft.reproducible || options.exact ||
      plan.coilsAtOnce < plan.coils || plan.slabs > 1)
    return 1;
  const double number = options.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const double bytes = number * double(plan.coilsAtOnce) * (plan.pixels + double(plan.mostSamples()));
  const double limit = double(options.nufft.memoryLimit) / 4;  // the plan takes the rest
  const double room = limit > 0 ? std::min(limit, maxBytes) : maxBytes;
  return int(std::clamp(std::floor(room / bytes), 1.0, double(plan.frames.size())));
}

// The plan for the transforms is made once, and gets new points where a frame has its own.
// Iterations plan anew for what belongs to the plan.
Workload workloadOf(const JobPlan& plan) {
  const ReconOptions& options = plan.options;
  const std::int64_t calls = (plan.coils + plan.problem.batch - 1) / plan.problem.batch;
  const double planes = plan.dims < 3 ? double(plan.slices.size()) : 1;
  const double frames = plan.separatesCoils ? 1 : double(plan.frames.size());
  Workload workload;
  if (!plan.iterates) {
    workload.direction = Direction::adjoint;
    workload.executions = double(calls) * planes * (plan.pointsMove ? 1 : frames);
    workload.pointSets = plan.pointsMove ? frames : 1;
    workload.together = plan.framesAtOnce;
    return workload;
  }
  workload.direction = Direction::normal;
  const double rightSides = 1;  // an adjoint each
  workload.executions =
      double(calls) * (options.iterative.solver.iterations * productsPerIteration(options) + rightSides);
  // Phases of shots, and a field of each slice, belong to the plan.
  if (options.iterative.method != ReconMethod::pcSense &&
      !(plan.mayHaveField && (plan.pointsMove || planes > 1))) {
    workload.executions *= planes * (plan.pointsMove ? 1 : frames);
    workload.pointSets = plan.pointsMove ? frames : 1;
  }
  workload.onDevice = plan.slabs == 1;
  return workload;
}

}  // namespace

std::string firstFrameAsked(const ReconOptions& options) {
  const std::string first = options.frames.substr(0, options.frames.find_first_of(",-:"));
  return first.empty() || first == "all" ? "0" : first;
}

int JobParts::most() const {
  return std::max({frames, slices, coils, slabs});
}

std::int64_t JobPlan::mostSamples() const {
  return *std::max_element(samples.begin(), samples.end());
}

std::size_t JobPlan::unknowns() const {
  const std::size_t shown = separatesCoils ? 1 : frames.size() / std::size_t(framesPerUnknown);
  return shown * slices.size();
}

int JobPlan::imagesPerUnknown() const {
  if (recipe && recipe->coilImages) return coils;
  return basis.empty() ? framesPerUnknown : basis.coefficients;
}

bool JobPlan::dividesSlabs() const {
  const bool acrossSlabs = !iterates && coils > 1 && options.combination == Combination::adaptive;
  return !acrossSlabs && !options.nufft.reproducible;
}

JobPlan planJob(const Scan& scan, const ReconOptions& options, const JobMachine& machine, int framesInFile) {
  JobPlan plan = outline(scan, options, framesInFile);
  plan.coilsAtOnce = plan.whole.batch = coilsTransformedAtOnce(plan);
  plan.slabs = slabsOf(plan);
  plan.parts = partsOf(plan);
  fitCoilsInto(plan, machine.roomForCoils);
  divideIntoSlabs(plan, machine);
  plan.slabs = slabsOf(plan);
  plan.parts = partsOf(plan);
  plan.problem = slabProblem(plan.whole, plan.slabs);
  plan.framesAtOnce = framesAtOnce(plan);
  plan.workload = workloadOf(plan);
  requireRoomForPlan(plan, machine, scan.name);
  plan.memory = memoryOf(plan, machine);
  return plan;
}

}  // namespace spokelab
