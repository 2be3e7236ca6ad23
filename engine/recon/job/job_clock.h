// Turns what a job has done so far, and the time that it was expected to take, into progress that
// follows time: with a share f done after t seconds, t (1 - f) / f are left.
//
// Before the first steps of about the same length (iterations, frames) the time left is the
// forecast of the stages to come, times the pace of the stages that are over. From the second step
// on it is measured: the steps to come at the rate of the steps done.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "engine/core/progress.h"
#include "engine/recon/job/job_account.h"

namespace spokelab {

class JobClock final : public SpanListener {
 public:
  // The job begins. forecast.total 0: nothing is known of jobs of its kind, and progress is passed
  // on unchanged until steps are measured. oneImage: the job makes one image, so that a stage that
  // has booked time is over (all but combine). time: a clock in seconds.
  JobClock(const JobAccount& forecast, bool oneImage, Progress progress, std::function<double()> time = now);

  // The job's progress; valid as long as this object lives.
  Progress progress();
  SpanKinds hears() const override { return kindsOf(SpanKind::job); }
  void ended(const SpanRecord& span) override;
  void stepped() override;
  double secondsLeft() const;

 private:
  struct Mark {
    double time = 0, fraction = 0;  // of the job's own progress
  };
  // With mutex_ held.
  double left() const;
  double forecastLeft() const;
  double pace() const;
  std::optional<double> measuredLeft() const;
  bool isOver(JobStage stage) const;
  void report(double fraction, const std::string& what);

  const JobAccount forecast_;
  const bool oneImage_;
  const Progress outer_;
  const std::function<double()> time_;
  const double start_;
  mutable std::mutex mutex_;
  JobAccount booked_;
  double lastBooking_;
  bool steps_ = false;  // the next report is of a step
  std::optional<Mark> firstStep_, lastStep_;
  double shown_ = 0;  // a share; decreases only when the first steps tell the time of an unknown job
};

}  // namespace spokelab
