#include "engine/recon/job_memory.h"

#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/recon/prepare/coil_batch.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/slice_selection.h"

namespace spokelab {
namespace {

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
    const double vectors = 5 + keptResiduals(options.iterative.solver, std::int64_t(unknowns * number));
    return bytes + (coils * sizeof(cfloat) + vectors * number) * unknowns + coils * samples * number;
  }
  const auto batch = options.exact ? 1.0 : double(coilBatch(scan, options));
  bytes += batch * (pixels + samples) * number + (options.exact ? 0 : pixels * number);
  if (coils > 1 && options.combination == Combination::rootSumSquares) bytes += pixels * sizeof(double);
  if (coils > 1 && options.combination == Combination::adaptive) bytes += coils * pixels * number;
  return bytes;
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
