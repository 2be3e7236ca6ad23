#include "engine/recon/job/job_account.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/core/text.h"

namespace spokelab {
namespace {

thread_local JobWatch* listener = nullptr;

}  // namespace

JobWatchScope::JobWatchScope(JobWatch* watch) noexcept : before_(std::exchange(listener, watch)) {
}

JobWatchScope::~JobWatchScope() {
  listener = before_;
}

void tellStep() {
  if (listener) listener->stepped();
}

void bookSeconds(JobAccount* account, JobStage stage, double seconds) {
  if (account) (*account)[stage] += seconds;
  if (listener) listener->booked(stage, seconds);
}

double JobAccount::accounted() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

double JobAccount::unaccounted() const {
  return std::max(0.0, total - accounted());
}

JobAccount& JobAccount::operator+=(const JobAccount& other) {
  for (std::size_t s = 0; s < jobStageCount; ++s) seconds[s] += other.seconds[s];
  total += other.total;
  return *this;
}

std::string accountText(const JobAccount& account) {
  std::string text;
  for (std::size_t s = 0; s < jobStageCount; ++s)
    if (account.seconds[s] > 0)
      text += std::string(jobStageNames[s]) + ' ' + secondsText(account.seconds[s]) + ", ";
  const double share = account.total > 0 ? account.unaccounted() / account.total : 0;
  return text + "unaccounted " + secondsText(account.unaccounted()) + " (" + percentText(share, 2) + ')';
}

}  // namespace spokelab
