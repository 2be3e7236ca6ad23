// The time of a whole reconstruction, from the file to the image, by stages: the account that a
// user reads, beside the stages of the transform inside it (stage_timer.h). Stages follow each
// other and never overlap; seconds of the caller's clock.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/core/stage_timer.h"

namespace spokelab {

enum class JobStage {
  startUp,     // the program and its GPU module loaded, as far as reading did not cover it
  read,        // the file, and what it means decided
  whiten,      // samples chosen and scaled, their noise whitened
  compress,    // virtual coils
  density,     // density weights
  maps,        // maps of coils, field and phases: read or estimated
  tune,        // the search for a plan
  plan,        // plans and Toeplitz transfer functions made, points set in them
  points,      // gridding: points set
  transforms,  // samples to images and back, outside and inside of iterations
  iterations,  // the rest of the iterations
  combine,     // coils combined, the image finished
  write        // of the image
};
inline constexpr std::size_t jobStageCount = 13;
inline constexpr std::array<std::string_view, jobStageCount> jobStageNames = {
    "start-up", "read",   "whiten",     "compress",   "density", "maps", "tune",
    "plan",     "points", "transforms", "iterations", "combine", "write"};

struct JobAccount {
  std::array<double, jobStageCount> seconds{};
  double total = 0;  // of the job, pauses left out; 0: nothing was accounted

  double& operator[](JobStage s) { return seconds[std::size_t(s)]; }
  double operator[](JobStage s) const { return seconds[std::size_t(s)]; }
  double accounted() const;
  double unaccounted() const;  // at least 0
  JobAccount& operator+=(const JobAccount& other);
};

// Hears what is booked on its thread, while a scope of it lives there.
class JobWatch {
 public:
  virtual ~JobWatch() = default;
  virtual void booked(JobStage stage, double seconds) = 0;
  // One of many steps of about the same length is done: an iteration, an unknown.
  virtual void stepped() {}
};
class JobWatchScope {
 public:
  explicit JobWatchScope(JobWatch* watch) noexcept;
  ~JobWatchScope();
  JobWatchScope(const JobWatchScope&) = delete;
  JobWatchScope& operator=(const JobWatchScope&) = delete;

 private:
  JobWatch* before_;
};

// Tells the watch of this thread, where there is one.
void tellStep();

// Books seconds to one stage; null: for those who listen alone.
void bookSeconds(JobAccount* account, JobStage stage, double seconds);

// Books the time since `begin` to one stage, and to the thread's trace; null: to the trace alone.
inline void bookStage(JobAccount* account, JobStage stage, double begin) {
  const double end = now();
  bookSeconds(account, stage, end - begin);
  traceSpan(jobStageNames[std::size_t(stage)], SpanKind::job, begin, end);
}

// Books the time between construction and destruction.
class JobTimer {
 public:
  JobTimer(JobAccount* account, JobStage stage) : account_(account), stage_(stage), start_(now()) {}
  ~JobTimer() { bookStage(account_, stage_, start_); }
  JobTimer(const JobTimer&) = delete;
  JobTimer& operator=(const JobTimer&) = delete;

 private:
  JobAccount* account_;
  JobStage stage_;
  double start_;
};

// "read 12 ms, maps 140 ms, ..., unaccounted 3 ms (0.40%)"; stages that took no time are left out.
std::string accountText(const JobAccount& account);

}  // namespace spokelab
