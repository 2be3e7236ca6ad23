#include "engine/recon/job_memory.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/prepare/coil_batch.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_slabs.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {
namespace {

constexpr double iterationVectors = 5;
constexpr double likelyAlpha = 1.5;       // where the tuner has yet to choose
constexpr double mostOverEstimate = 1.2;  // what a small plan takes over its estimate

double numberBytes(const ReconOptions& options) {
  return options.inDouble() ? sizeof(cdouble) : sizeof(cfloat);
}

// Of one slice or volume.
double pixelsOf(const Scan& scan) {
  double pixels = 1;
  for (std::size_t d = 0; d < std::size_t(scan.dims()); ++d) pixels *= double(scan.geometry.matrix[d]);
  return pixels;
}

// Transforms with a field: pcSENSE has one a shot.
double exactSums(const Scan& scan, const ReconOptions& options) {
  if (options.iterative.method != ReconMethod::pcSense) return 1;
  return double(scan.trajectory(selection(options.frames, scan.frames, "frames").front()).shots());
}

// Coordinates for the plan and for the tuner.
double pointBytes(const Scan& scan) {
  return 2 * double(scan.dims()) * sizeof(double) * double(scan.trajectory(0).samples());
}

NufftProblem wholeProblem(const Scan& scan, const ReconOptions& options, std::int64_t batch) {
  NufftProblem problem;
  problem.dims = scan.dims();
  for (std::size_t d = 0; d < std::size_t(scan.dims()); ++d) problem.size[d] = scan.geometry.matrix[d];
  problem.precision = options.precision;
  problem.measure = options.measure;
  problem.batch = batch;
  return problem;
}

std::int64_t mostSamples(const Scan& scan, const ReconOptions& options) {
  std::int64_t most = 0;
  for (const int f : selection(options.frames, scan.frames, "frames"))
    most = std::max(most, scan.trajectory(f).samples());
  return most;
}

// Of the vectors that iterations keep in a device's memory, where they are there.
double deviceVectorBytes(const Scan& scan, const ReconOptions& options) {
  if (options.iterative.method == ReconMethod::gridding) return 0;
  const double unknowns = options.iterative.mapSets * pixelsOf(scan);
  return (coilsPrepared(scan, options) + iterationVectors) * unknowns * numberBytes(options);
}

// Whether so many bytes are to be had where the backend's plans lie. On a device all of its memory
// counts: what is free does not tell, as pools keep what jobs before gave back.
bool fitsOn(const Backend& backend, double bytes, double roomOnHost) {
  constexpr double usableShare = 0.9;  // the rest is for libraries and pieces
  if (backend.name() != "cuda") return bytes <= roomOnHost;
  const auto memory = double(backend.deviceMemory());
  return memory == 0 || bytes <= usableShare * memory;
}

// Whether a plan for the problem fits that takes `times` its estimate: of the alpha that is given,
// or of any. beside: bytes of vectors that lie where the plan lies.
bool planFits(const Backend& backend, const NufftProblem& problem, const NufftOptions& asked,
              std::int64_t points, double times, double beside, double roomOnHost) {
  NufftOptions how = asked;
  // From the largest on, which is the quickest to design and mostly fits.
  const std::vector<double> alphas =
      asked.alpha > 0 ? std::vector<double>{asked.alpha} : fastAlphas(problem, asked.axisAlpha);
  return std::any_of(alphas.rbegin(), alphas.rend(), [&](double alpha) {
    how.alpha = alpha;
    try {
      const double bytes = times * double(backend.estimateMemory(problem, how, points));
      return (asked.memoryLimit == 0 || bytes <= double(asked.memoryLimit)) &&
             fitsOn(backend, bytes + beside, roomOnHost);
    } catch (const Error&) {
      return false;  // out of the accuracy's or the limit's reach
    }
  });
}

}  // namespace

double reconstructionBytes(const Scan& scan, const ReconOptions& options) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  const double slices = scan.dims() < 3 ? double(slicesAskedFor(scan, options).size()) : 1;
  const double coils = coilsPrepared(scan, options), pixels = pixelsOf(scan), number = numberBytes(options);
  const bool sense = options.iterative.method != ReconMethod::gridding;
  const bool separate = !sense && options.combination == Combination::none;
  const std::int64_t slabs = jobSlabs(scan, options);
  const auto samples = double(scan.trajectory(frames.front()).samples());

  double bytes =
      (separate ? coils : double(frames.size())) * slices * pixels * Scan::bytesPerSample(options.inDouble());
  bytes += pointBytes(scan) + samples * sizeof(double);
  if (coils < scan.coils)
    for (const int f : frames)
      bytes += double(scan.slices) * coils * double(scan.trajectory(f).samples()) *
               Scan::bytesPerSample(options.inDouble());
  if (slabs > 1)
    bytes += slabBytes(wholeProblem(scan, options, coilBatch(scan, options)), slabs,
                       scan.trajectory(frames.front()).samples(), sense);
  if (sense) {
    const double unknowns = options.iterative.mapSets * pixels;
    const double vectors =
        iterationVectors + keptResiduals(options.iterative.solver, std::int64_t(unknowns * number));
    // Maps as they were estimated and as the iterations take them; images and samples of the coils
    // that are transformed at once.
    const auto atOnce = double(coilBatch(scan, options));
    return bytes + (coils * (sizeof(cfloat) + number) + vectors * number) * unknowns +
           atOnce * (pixels + samples) * number;
  }
  const auto batch = options.exact ? 1.0 : double(coilBatch(scan, options));
  bytes += batch * (pixels + samples) * number + (options.exact ? 0 : pixels * number);
  if (coils > 1 && options.combination == Combination::rootSumSquares) bytes += pixels * sizeof(double);
  if (coils > 1 && options.combination == Combination::adaptive) bytes += coils * pixels * number;
  return bytes;
}

JobMemory jobMemory(const Scan& scan, const ReconOptions& options, const std::vector<Backend*>& backends) {
  JobMemory memory;
  memory.host = reconstructionBytes(scan, options);
  if (options.exact) return memory;
  const std::int64_t slabs = jobSlabs(scan, options);
  const NufftProblem problem = slabProblem(wholeProblem(scan, options, coilBatch(scan, options)), slabs);
  const std::int64_t points =
      scan.trajectory(selection(options.frames, scan.frames, "frames").front()).samples();
  double onHost = 0;  // one backend is chosen
  for (const Backend* backend : backends) {
    double plan = 0;
    try {
      NufftOptions how = options.nufft;
      if (!(how.alpha > 0)) how.alpha = likelyAlpha;
      const bool iterates = options.iterative.method != ReconMethod::gridding;
      if (iterates) how = plainNufft(options.iterative.transform, how);
      if (slabs > 1) how.normal = iterates ? NormalMethod::gridded : NormalMethod::later;
      plan = double(backend->estimateMemory(problem, how, points));
    } catch (const Error&) {
      continue;  // nobody can plan that: the job will say why
    }
    if (backend->name() != "cuda") {
      onHost = std::max(onHost, plan);
      continue;
    }
    memory.device = plan;
    if (slabs > 1) continue;  // all else is on the host
    const bool sense = options.iterative.method != ReconMethod::gridding;
    const double coils = coilsPrepared(scan, options);
    const bool adaptive = !sense && coils > 1 && options.combination == Combination::adaptive;
    memory.device +=
        deviceVectorBytes(scan, options) + (adaptive ? coils * pixelsOf(scan) * numberBytes(options) : 0);
    // Samples that are mixed there or sent ahead: of a frame, and of the one after it.
    if (!options.inDouble())
      memory.device += coils * double(points) * sizeof(cfloat) * std::min(2.0, double(scan.frames));
    if (sense && isExact(options.iterative.transform) && options.nufft.reproducible && !options.inDouble())
      memory.device += exactSums(scan, options) * double(maxGdftRowBytes);
  }
  memory.host += onHost;
  return memory;
}

ReconOptions fittedToMemory(const Scan& scan, ReconOptions options, double room,
                            std::vector<std::string>& notes) {
  // Memory that happens to be free must not change what a reproducible job computes.
  if (options.exact || options.nufft.reproducible || reconstructionBytes(scan, options) <= room)
    return options;
  const std::int64_t asked = coilBatch(scan, options);
  ReconOptions fewer = options;
  for (std::int64_t batch = asked / 2; batch > 0; batch /= 2) {
    fewer.coilsAtOnce = int(batch);
    if (reconstructionBytes(scan, fewer) > room) continue;
    notes.push_back(countText(batch, "coil", "coils") + " at a time instead of " + std::to_string(asked) +
                    ", to fit into memory");
    return fewer;
  }
  return options;
}

double roomToDivide(const ReconOptions& options) {
  const MemoryBounds bounds = memoryBounds();
  return double(options.nufft.reproducible ? bounds.most : bounds.left);
}

ReconOptions dividedToFit(const Scan& scan, ReconOptions options, const std::vector<Backend*>& backends,
                          double room, std::vector<std::string>& notes) {
  const std::string whyNot = whyNotInSlabs(scan, options);
  if (options.slabs > 1 && !whyNot.empty()) notes.push_back("not transformed in slabs: " + whyNot);
  if (options.slabs > 0 || !whyNot.empty()) return options;
  const NufftProblem whole = wholeProblem(scan, options, 1);
  const std::int64_t points = mostSamples(scan, options), planes = mostSlabs(whole);
  const double onHost = room - reconstructionBytes(scan, options);
  const auto fitsIn = [&](std::int64_t slabs) {
    const NufftProblem part = slabProblem(whole, slabs);
    return std::any_of(backends.begin(), backends.end(), [&](const Backend* backend) {
      const bool onDevice = slabs == 1 && backend->name() == "cuda";
      NufftOptions how = options.nufft;
      const bool iterates = options.iterative.method != ReconMethod::gridding;
      how.normal = iterates ? NormalMethod::gridded : NormalMethod::later;
      return planFits(*backend, part, how, points, slabs == 1 ? 1 : mostOverEstimate,
                      onDevice ? deviceVectorBytes(scan, options) : 0, onHost);
    });
  };
  if (fitsIn(1) || !fitsIn(planes)) return options;
  std::int64_t slabs = 2;
  while (!fitsIn(slabs)) ++slabs;
  const std::int64_t length = slabProblem(whole, slabs).size[2];
  options.slabs = int(slabs);
  notes.push_back("transformed in " + std::to_string((planes + length - 1) / length) + " slabs of " +
                  countText(length, "plane", "planes") +
                  ", each with all samples: the whole volume does not fit into memory");
  return options;
}

void requireReconstructionMemory(const Scan& scan, const ReconOptions& options) {
  requireMemory(
      reconstructionBytes(scan, options), "Cannot reconstruct " + scan.name,
      "a matrix of " + sizeText(scan.geometry.matrix, scan.dims()) + " with " +
          countText(coilsPrepared(scan, options), "coil", "coils"),
      "Use a smaller matrix (decision matrix), fewer frames, slices or coils, fewer coils at once, or "
      "single precision");
}

}  // namespace spokelab
