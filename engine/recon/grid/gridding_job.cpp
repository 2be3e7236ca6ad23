#include "engine/recon/grid/gridding_job.h"

#include <utility>

#include "engine/core/thread_pool.h"
#include "engine/recon/density/density.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"

namespace spokelab {

GriddingJob makeGriddingJob(const Scan& scan, const ReconOptions& options, NufftBackend& backend,
                            const ImagePlace& place) {
  GriddingJob job{scan,
                  options,
                  backend,
                  selection(options.frames, scan.frames, "frames"),
                  slicesAskedFor(scan, options),
                  options.combination == Combination::none};
  const double start = now();
  if (job.separateCoils) job.frames.resize(1);
  job.image = JobImage(scan, job.separateCoils ? scan.coils : int(job.frames.size()), job.slices,
                       options.inDouble(), place);
  job.image.image()->geometry = geometryOf(scan, job.frames, job.slices);
  bookStage(&job.account, JobStage::combine, start);
  return job;
}

namespace {

FrameSetup makeSetup(const GriddingJob& job, int frame, const Progress& progress) {
  const Trajectory& trajectory = job.scan.trajectory(frame);
  const Index3& matrix = job.scan.geometry.matrix;
  DensityWeights density = densityWeights(trajectory, matrix, job.options, job.backend, progress);
  FrameSetup setup;
  const auto dims = std::size_t(trajectory.dims);
  double scale = 1;
  for (std::size_t d = 0; d < dims; ++d) scale /= double(matrix[d]);
  setup.points.resize(trajectory.points.size());
  setup.weights.resize(density.values.size());
  constexpr std::int64_t samplesPerTask = 1 << 14;
  parallelFor(trajectory.samples(), job.options.nufft.threads, samplesPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto j = std::size_t(begin); j < std::size_t(end); ++j) {
                  for (std::size_t d = 0; d < dims; ++d)
                    setup.points[j * dims + d] = trajectory.points[j * dims + d] / double(matrix[d]);
                  setup.weights[j] = density.values[j] * scale;
                }
              });
  setup.origin = std::move(density.origin);
  return setup;
}

}  // namespace

FrameSetup setupFrame(GriddingJob& job, int frame, const Progress& progress) {
  const JobTimer timer(&job.account, JobStage::density);
  return makeSetup(job, frame, progress);
}

std::vector<FrameSetup> setupFrames(GriddingJob& job, std::span<const int> frames, const Progress& progress) {
  std::vector<FrameSetup> setups(frames.size());
  if (frames.empty()) return setups;
  const JobTimer timer(&job.account, JobStage::density);
  const bool iterates =
      densityIterates(job.scan.trajectory(frames.front()), job.scan.geometry.matrix, job.options);
  const Progress silent(progress.stopToken());  // it is told by one thread at a time
  parallelTasks(std::int64_t(frames.size()), iterates ? 1 : job.options.nufft.threads, [&](std::int64_t f) {
    silent.checkpoint();
    setups[std::size_t(f)] = makeSetup(job, frames[std::size_t(f)], iterates ? progress : silent);
  });
  return setups;
}

}  // namespace spokelab
