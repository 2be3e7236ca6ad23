#include "engine/recon/job/job_clock.h"

#include <algorithm>
#include <utility>

namespace spokelab {

JobClock::JobClock(const JobAccount& forecast, bool oneImage, Progress progress)
    : forecast_(forecast),
      oneImage_(oneImage),
      outer_(std::move(progress)),
      start_(now()),
      lastBooking_(start_) {
}

Progress JobClock::progress() {
  if (!(forecast_.total > 0)) return outer_;
  return Progress(outer_.stopToken(),
                  [this](double fraction, const std::string& what) { report(fraction, what); });
}

void JobClock::booked(JobStage stage, double seconds) {
  const std::lock_guard lock(mutex_);
  booked_[stage] += seconds;
  lastBooking_ = now();
}

double JobClock::secondsLeft() const {
  const std::lock_guard lock(mutex_);
  return left();
}

double JobClock::left() const {
  double left = 0;
  for (std::size_t s = 0; s < jobStageCount; ++s) {
    // The image is made and finished in one stage, at the job's two ends.
    const bool over = oneImage_ && booked_.seconds[s] > 0 && JobStage(s) != JobStage::combine;
    if (!over) left += std::max(0.0, forecast_.seconds[s] - booked_.seconds[s]);
  }
  return std::max(0.0, left - (now() - lastBooking_));
}

void JobClock::report(double fraction, const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    const double passed = now() - start_, whole = passed + left();
    constexpr double maxShare = 0.99;  // until the job says that it has ended
    const double share = whole > 0 ? std::min(maxShare, passed / whole) : 0;
    shown_ = std::max(shown_, fraction >= 1 ? 1 : share);
    fraction = shown_;
  }
  outer_.report(fraction, what);
}

}  // namespace spokelab
