#include "engine/recon/job_memory.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/recon/prepare/coil_batch.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {
namespace {

constexpr double iterationVectors = 5;
constexpr double likelyAlpha = 1.5;  // where the tuner has yet to choose

double numberBytes(const ReconOptions& options) {
  return options.inDouble() ? sizeof(cdouble) : sizeof(cfloat);
}

// Of one slice or volume.
double pixelsOf(const Scan& scan) {
  double pixels = 1;
  for (std::size_t d = 0; d < std::size_t(scan.dims()); ++d) pixels *= double(scan.geometry.matrix[d]);
  return pixels;
}

// Coordinates for the plan and for the tuner.
double pointBytes(const Scan& scan) {
  return 2 * double(scan.dims()) * sizeof(double) * double(scan.trajectory(0).samples());
}

}  // namespace

double reconstructionBytes(const Scan& scan, const ReconOptions& options) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  const double slices = scan.dims() < 3 ? double(slicesAskedFor(scan, options).size()) : 1;
  const double coils = coilsPrepared(scan, options), pixels = pixelsOf(scan), number = numberBytes(options);
  const bool sense = options.iterative.method != ReconMethod::gridding;
  const bool separate = !sense && options.combination == Combination::none;
  const auto samples = double(scan.trajectory(frames.front()).samples());

  double bytes =
      (separate ? coils : double(frames.size())) * slices * pixels * Scan::bytesPerSample(options.inDouble());
  bytes += pointBytes(scan) + samples * sizeof(double);
  if (coils < scan.coils)
    for (const int f : frames)
      bytes += double(scan.slices) * coils * double(scan.trajectory(f).samples()) *
               Scan::bytesPerSample(options.inDouble());
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
  NufftProblem problem;
  problem.dims = scan.dims();
  for (std::size_t d = 0; d < std::size_t(scan.dims()); ++d) problem.size[d] = scan.geometry.matrix[d];
  problem.precision = options.precision;
  problem.batch = coilBatch(scan, options);
  const std::int64_t points =
      scan.trajectory(selection(options.frames, scan.frames, "frames").front()).samples();
  double onHost = 0;  // one backend is chosen
  for (const Backend* backend : backends) {
    double plan = 0;
    try {
      NufftOptions how = options.nufft;
      if (!(how.alpha > 0)) how.alpha = likelyAlpha;
      if (options.iterative.method != ReconMethod::gridding)
        how = plainNufft(options.iterative.transform, how);
      plan = double(backend->estimateMemory(problem, how, points));
    } catch (const Error&) {
      continue;  // nobody can plan that: the job will say why
    }
    if (backend->name() != "cuda") {
      onHost = std::max(onHost, plan);
      continue;
    }
    const double unknowns = options.iterative.mapSets * pixelsOf(scan), number = numberBytes(options);
    const bool sense = options.iterative.method != ReconMethod::gridding;
    const double coils = coilsPrepared(scan, options);
    const bool adaptive = !sense && coils > 1 && options.combination == Combination::adaptive;
    memory.device = plan + (sense ? (coils + iterationVectors) * unknowns * number : 0) +
                    (adaptive ? coils * pixelsOf(scan) * number : 0);
    // Samples that are mixed there or sent ahead: of a frame, and of the one after it.
    if (!options.inDouble())
      memory.device += coils * double(points) * sizeof(cfloat) * std::min(2.0, double(scan.frames));
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

void requireReconstructionMemory(const Scan& scan, const ReconOptions& options) {
  requireMemory(
      reconstructionBytes(scan, options), "Cannot reconstruct " + scan.name,
      "a matrix of " + sizeText(scan.geometry.matrix, scan.dims()) + " with " +
          countText(coilsPrepared(scan, options), "coil", "coils"),
      "Use a smaller matrix (decision matrix), fewer frames, slices or coils, fewer coils at once, or "
      "single precision");
}

}  // namespace spokelab
