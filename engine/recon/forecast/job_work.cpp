#include "engine/recon/forecast/job_work.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/thread_pool.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"

namespace spokelab {

JobWork jobWork(const Scan& scan, const ReconOptions& options, std::span<NufftBackend* const> backends) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  const bool planar = scan.dims() < 3, iterates = options.iterative.method != ReconMethod::gridding;
  const double slices = planar ? double(slicesAskedFor(scan, options).size()) : 1;
  double image = 1;
  for (std::size_t d = 0; d < std::size_t(scan.dims()); ++d) image *= double(scan.geometry.matrix[d]);
  JobWork work;
  for (const int f : frames) work.samples += slices * double(scan.trajectory(f).samples());
  work.coils = double(coilsPrepared(scan, options));
  work.pixels = image * slices * double(frames.size());
  work.mapPixels = iterates ? image * slices * options.iterative.mapSets : 0;
  work.iterations = iterates ? options.iterative.solver.iterations : 0;
  std::string machine;
  for (const std::string& one : Wisdom::fingerprintsOf(backends)) machine += one + " | ";
  const int threads = options.nufft.threads > 0 ? options.nufft.threads : hardwareThreads();
  work.kind = machine + std::to_string(threads) + " threads, " + std::to_string(scan.dims()) + "-D " +
              std::string(reconMethodName(options.iterative.method));
  for (const char* name : {"precision", "transform", "regularization", "coil-maps", "density", "combine",
                           "alpha", "width", "exact", "coil-map-sets", "accuracy", "effort"})
    if (const std::string value = optionValue(options, name); !value.empty())
      work.kind += std::string(", ") + name + ' ' + value;
  if (options.slabs > 1) work.kind += ", " + std::to_string(options.slabs) + " slabs";
  if (options.nufft.reproducible) work.kind += ", reproducible";
  return work;
}

double workOf(JobStage stage, const JobWork& work) {
  const double passes = work.iterations + 1;
  switch (stage) {
    case JobStage::startUp:
    case JobStage::tune:
      return 1;
    case JobStage::read:
    case JobStage::whiten:
    case JobStage::compress:
      return work.samples * work.coils;
    case JobStage::density:
    case JobStage::points:
      return work.samples;
    case JobStage::maps:
      return work.mapPixels * work.coils;
    case JobStage::plan:
      return work.samples + work.pixels;
    case JobStage::transforms:
      return (work.samples + work.pixels) * work.coils * passes;
    case JobStage::iterations:
      return work.pixels * work.coils * work.iterations;
    case JobStage::combine:
      return work.pixels * (work.iterations > 0 ? 1 : work.coils);
    case JobStage::write:
      return work.pixels;
  }
  return 1;
}

double distance(const JobWork& a, const JobWork& b) {
  if (a.kind != b.kind) return HUGE_VAL;
  double sum = 0;
  const std::array<std::pair<double, double>, 5> sizes = {{{a.samples, b.samples},
                                                           {a.pixels, b.pixels},
                                                           {a.mapPixels, b.mapPixels},
                                                           {a.coils, b.coils},
                                                           {a.iterations, b.iterations}}};
  for (const auto& [first, second] : sizes) sum += std::abs(std::log2((1 + first) / (1 + second)));
  return sum;
}

}  // namespace spokelab
