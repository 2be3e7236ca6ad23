#include "engine/recon/job/job_clock.h"

#include <algorithm>
#include <utility>

namespace spokelab {

JobClock::JobClock(const JobAccount& forecast, bool oneImage, Progress progress, std::function<double()> time)
    : forecast_(forecast),
      oneImage_(oneImage),
      outer_(std::move(progress)),
      time_(std::move(time)),
      start_(time_()),
      lastBooking_(start_) {
}

Progress JobClock::progress() {
  return Progress(outer_.stopToken(),
                  [this](double fraction, const std::string& what) { report(fraction, what); });
}

void JobClock::ended(const SpanRecord& span) {
  if (span.stage < 0) return;
  const std::lock_guard lock(mutex_);
  booked_.seconds[std::size_t(span.stage)] += span.seconds;
  lastBooking_ = time_();
}

void JobClock::stepped() {
  const std::lock_guard lock(mutex_);
  steps_ = true;
}

double JobClock::secondsLeft() const {
  const std::lock_guard lock(mutex_);
  return left();
}

// The image is made and finished in one stage, at the job's two ends.
bool JobClock::isOver(JobStage stage) const {
  return oneImage_ && booked_[stage] > 0 && stage != JobStage::combine;
}

// Seconds of finished stages for a second of forecast: above 1 on a busier machine.
double JobClock::pace() const {
  constexpr double minShare = 0.02;  // of the forecast; less says nothing
  constexpr double minPace = 0.25, maxPace = 8;
  double took = 0, expected = 0;
  for (std::size_t s = 0; s < jobStageCount; ++s)
    if (isOver(JobStage(s)) && forecast_.seconds[s] > 0) {
      took += booked_.seconds[s];
      expected += forecast_.seconds[s];
    }
  return expected > minShare * forecast_.total ? std::clamp(took / expected, minPace, maxPace) : 1;
}

double JobClock::forecastLeft() const {
  double left = 0;
  for (std::size_t s = 0; s < jobStageCount; ++s)
    if (!isOver(JobStage(s))) left += std::max(0.0, forecast_.seconds[s] - booked_.seconds[s] / pace());
  return std::max(0.0, left * pace() - (time_() - lastBooking_));
}

std::optional<double> JobClock::measuredLeft() const {
  constexpr double minStep = 1e-6;
  if (!lastStep_ || lastStep_->fraction - firstStep_->fraction < minStep) return std::nullopt;
  const double rate = (lastStep_->time - firstStep_->time) / (lastStep_->fraction - firstStep_->fraction);
  return std::max(0.0, (1 - lastStep_->fraction) * rate - (time_() - lastStep_->time));
}

double JobClock::left() const {
  return measuredLeft().value_or(forecastLeft());
}

void JobClock::report(double fraction, const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    const double time = time_(), passed = time - start_;
    const bool wasMeasured = measuredLeft().has_value();
    if (std::exchange(steps_, false)) {
      lastStep_ = Mark{time, fraction};
      if (!firstStep_) firstStep_ = lastStep_;
    }
    const bool measured = measuredLeft().has_value();
    if (forecast_.total > 0 || measured) {
      const double totalSeconds = passed + left();
      constexpr double maxShare = 0.99;  // until the job says that it has ended
      const double share = totalSeconds > 0 ? std::min(maxShare, passed / totalSeconds) : 0;
      const bool first = measured && !wasMeasured && !(forecast_.total > 0);
      shown_ = fraction >= 1 ? 1 : first ? share : std::max(shown_, share);
    } else {
      shown_ = std::max(shown_, fraction);
    }
    fraction = shown_;
  }
  outer_.report(fraction, what);
}

}  // namespace spokelab
