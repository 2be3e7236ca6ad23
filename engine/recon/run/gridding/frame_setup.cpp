#include "engine/recon/run/gridding/frame_setup.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/density/density.h"

namespace spokelab {
namespace {

// Tukey's window of |k|, which is given in cycles per pixel: 1 inside, 0 from the edge (1/2) on.
double edgeWindow(const double* k, std::size_t dims, double taper) {
  double squares = 0;
  for (std::size_t d = 0; d < dims; ++d) squares += k[d] * k[d];
  const double fromEdge = 1 - 2 * std::sqrt(squares);
  if (fromEdge >= taper) return 1;
  return fromEdge <= 0 ? 0 : (1 - std::cos(std::numbers::pi * fromEdge / taper)) / 2;
}

FrameSetup makeSetup(const RunContext& context, int frame, const Progress& progress) {
  const Trajectory& trajectory = context.scan.trajectory(frame);
  const Index3& matrix = context.scan.geometry.matrix;
  DensityWeights density = densityWeights(trajectory, matrix, context.job.options, context.backend, progress);
  FrameSetup setup;
  const auto dims = std::size_t(trajectory.dims);
  double scale = 1;
  for (std::size_t d = 0; d < dims; ++d) scale /= double(matrix[d]);
  setup.points.resize(trajectory.points.size());
  setup.weights.resize(density.values.size());
  constexpr std::int64_t samplesPerTask = 1 << 14;
  const double taper = context.job.options.edgeTaper;
  parallelFor(trajectory.samples(), context.job.options.nufft.threads, samplesPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto j = std::size_t(begin); j < std::size_t(end); ++j) {
                  for (std::size_t d = 0; d < dims; ++d)
                    setup.points[j * dims + d] = trajectory.points[j * dims + d] / double(matrix[d]);
                  setup.weights[j] = density.values[j] * scale;
                  if (taper > 0) setup.weights[j] *= edgeWindow(&setup.points[j * dims], dims, taper);
                }
              });
  setup.origin = std::move(density.origin);
  if (taper > 0) setup.origin += ", tapered over " + numberText(taper) + " of the radius";
  return setup;
}

}  // namespace

std::vector<FrameSetup> setupFrames(const RunContext& context, std::span<const int> frames,
                                    const Progress& progress) {
  std::vector<FrameSetup> setups(frames.size());
  if (frames.empty()) return setups;
  const JobTimer timer(JobStage::density);
  const ReconOptions& options = context.job.options;
  const bool oneByOne = frames.size() == 1 || densityIterates(context.scan.trajectory(frames.front()),
                                                              context.scan.geometry.matrix, options);
  const Progress silent(progress.stopToken());  // it is told by one thread at a time
  parallelTasks(std::int64_t(frames.size()), oneByOne ? 1 : options.nufft.threads, [&](std::int64_t f) {
    silent.checkpoint();
    setups[std::size_t(f)] = makeSetup(context, frames[std::size_t(f)], oneByOne ? progress : silent);
  });
  return setups;
}

}  // namespace spokelab
