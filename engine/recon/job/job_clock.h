// Turns what a job has done so far, and what it was expected to take, into progress that follows
// time: with a share f done after t seconds, t (1 - f) / f are left.
#pragma once

#include <mutex>

#include "engine/core/progress.h"
#include "engine/recon/job/job_account.h"

namespace spokelab {

class JobClock final : public JobWatch {
 public:
  // The job begins. forecast.total 0: progress is passed on unchanged. oneImage: a stage that is
  // booked is over.
  JobClock(const JobAccount& forecast, bool oneImage, Progress progress);

  // For the job; valid as long as this lives.
  Progress progress();
  void booked(JobStage stage, double seconds) override;
  double secondsLeft() const;

 private:
  double left() const;  // mutex_ held
  void report(double fraction, const std::string& what);

  const JobAccount forecast_;
  const bool oneImage_;
  const Progress outer_;
  const double start_;
  mutable std::mutex mutex_;
  JobAccount booked_;
  double lastBooking_;
  double shown_ = 0;  // a share; never decreases
};

}  // namespace spokelab
