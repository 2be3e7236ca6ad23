#include "engine/recon/ranks/device_team.h"

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/jobs/thread_ranks.h"
#include "engine/core/measure/trace.h"
#include "engine/recon/ranks/rank_reconstruction.h"
#include "engine/recon/run/run_job.h"

namespace spokelab {
namespace {

constexpr const char* inOneOrder = "reproducible sums over coils have one order";

std::size_t mostDevices(const JobPlan& job) {
  JobParts parts = job.parts;
  if (job.options.nufft.reproducible) parts.coils = 1;
  return std::size_t(parts.most());
}

Reconstruction onFirst(const std::vector<Backend*>& devices, const Scan& scan, const JobPlan& job,
                       const Candidate* plan, Wisdom* wisdom, const Progress& progress) {
  Reconstruction result = runJob(*devices.front(), scan, job, plan, wisdom, progress);
  result.notes.push_back("one GPU of " + std::to_string(devices.size()) + " did all: " +
                         (job.options.nufft.reproducible ? inOneOrder : "there is nothing to divide"));
  return result;
}

}  // namespace

void nameTracks(const std::vector<Backend*>& devices) {
  TraceRecorder* const trace = activeTrace();
  if (!trace) return;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const Backend& device = *devices[rank];
    if (device.deviceCount() == 0) continue;
    const int number = device.deviceNumber();
    const std::string name = "GPU " + std::to_string(number);
    const std::string badge = device.badge();  // "NVIDIA H100, 80 GB, driver 580"
    trace->nameTrack(deviceTrack + number, name + ": " + badge.substr(0, badge.find(',')));
    if (rank > 0) trace->nameTrack(rankTrack + int(rank), "job on " + name);
  }
}

Reconstruction reconstructOnDevices(const std::vector<Backend*>& all, const Scan& scan, const JobPlan& job,
                                    const Candidate* plan, Wisdom* wisdom, const Progress& progress) {
  const std::size_t maxDevices = mostDevices(job);
  const ReconOptions& options = job.options;
  if (maxDevices < 2) return onFirst(all, scan, job, plan, wisdom, progress);
  const std::vector<Backend*> devices(all.begin(),
                                      all.begin() + std::int64_t(std::min(all.size(), maxDevices)));
  // The caller's scan outlives the ranks.
  const std::shared_ptr<const Scan> shared(std::shared_ptr<const Scan>(), &scan);
  const RankReader reader{
      [&shared](const std::string&, const std::string&, const Progress&) { return shared; }, false};
  ReconOptions unwatched = options;
  unwatched.iterative.watcher = nullptr;
  Reconstruction result;
  SharedImage image;
  TraceRecorder* const trace = activeTrace();
  try {
    runOnThreadRanks(
        namesOfDevices(devices),
        [&](Ranks& ranks, const Progress& part) {
          std::optional<SpanScope> traced;  // the first rank is the caller's thread
          if (!ranks.isFirst()) traced.emplace(trace, rankTrack + ranks.rank());
          RankReconstruction done =
              reconstructOnRanks(ranks, *devices[std::size_t(ranks.rank())], reader,
                                 ranks.isFirst() ? options : unwatched, nullptr, part, plan, &image);
          if (ranks.isFirst()) result = std::move(done.result);
        },
        progress);
  } catch (const Cancelled&) {
    Reconstruction cancelled;
    cancelled.options = options;
    cancelled.cancelled = true;
    return cancelled;
  }
  std::string note = std::to_string(devices.size()) + " GPUs divided the " + divisionText(result);
  if (devices.size() < all.size())
    note += "; " + std::to_string(all.size() - devices.size()) + " more had nothing to do";
  result.notes.push_back(std::move(note));
  return result;
}

}  // namespace spokelab
