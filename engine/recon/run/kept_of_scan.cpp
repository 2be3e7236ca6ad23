#include "engine/recon/run/kept_of_scan.h"

#include <span>

#include "engine/nufft/tune/wisdom.h"

namespace spokelab {
namespace {

ValueHash subjectOf(const Scan& scan, const JobPlan& job) {
  const Trajectory& t = scan.trajectory(job.frames.empty() ? 0 : job.frames.front());
  return HashBuilder()
      .add(std::span<const double>(t.points.data(), t.points.size()))
      .add(std::span<const std::int64_t>(job.matrix))
      .hash();
}

}  // namespace

std::unique_ptr<KeptValues> keptOfJob(const Scan& scan, const JobPlan& job, const Wisdom* wisdom) {
  if (!wisdom || wisdom->file().empty() || !job.options.keepsPreprocessing || job.options.exact)
    return nullptr;
  auto kept = std::make_unique<KeptValues>(KeptValues::folderBeside(wisdom->file()));
  kept->setSubject(subjectOf(scan, job));
  return kept;
}

std::vector<KeptItem> keptBefore(const Scan& scan, const JobPlan& job, const Wisdom* wisdom) {
  const std::unique_ptr<KeptValues> keptValues = keptOfJob(scan, job, wisdom);
  return keptValues ? keptValues->listOf(subjectOf(scan, job)) : std::vector<KeptItem>();
}

}  // namespace spokelab
