#include "engine/recon/explore/fit/fit_picture.h"

#include "engine/recon/explore/fit/small_scan.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"

namespace spokelab {

std::shared_ptr<const Image> fitPicture(const Scan& scan, const ReconOptions& options, const Vec3& delays,
                                        std::int64_t size, const Progress& progress) {
  const JobPlan job = planJob(scan, options);
  const SmallScan small = smallScan(scan, job.frames.front(), job.slices[job.slices.size() / 2],
                                    scan.dims() == 3 ? size / 2 : size, false);
  small.scan->trajectories.front().points = small.pointsAt(delays);
  // A fixed plan: nothing is tuned for the eye.
  constexpr double coarseError = 1e-2;
  const auto backend = makeCpuBackend();
  ReconOptions gridding;
  setAccuracy(gridding, coarseError);
  gridding.nufft.alpha = 2;
  gridding.nufft.width = 4;
  gridding.backend = backend->name();
  const Reconstruction result = runJob(*backend, *small.scan, gridding, nullptr, nullptr, progress);
  if (result.cancelled || !result.image) throw Cancelled{};
  return result.image;
}

}  // namespace spokelab
