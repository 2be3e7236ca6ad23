// The time of a whole reconstruction, from the file to the image, by stages: the account that a
// user reads, beside the stages of the transform inside it (stage_timer.h). Stages never overlap;
// seconds of the caller's clock.
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

// Books the job's stages of this thread while it lives. The time of a stage inside another one
// counts for the inner stage only. Of nested recorders only the innermost books a stage.
class AccountRecorder final : public SpanListener {
 public:
  explicit AccountRecorder(JobAccount& account) : account_(account), scope_(this) {}
  SpanKinds hears() const override { return kindsOf(SpanKind::job); }
  SpanKinds books() const override { return kindsOf(SpanKind::job); }
  void ended(const SpanRecord& span) override;
  double seconds() const { return now() - begin_; }  // since it began

 private:
  JobAccount& account_;
  const double begin_ = now();
  const SpanScope scope_;
};

// The span of a stage, from construction to destruction.
class JobTimer : public Span {
 public:
  explicit JobTimer(JobStage stage)
      : Span(jobStageNames[std::size_t(stage)].data(), SpanKind::job, int(stage)) {}
  // Seconds of it that are of another stage.
  void contains(JobStage stage, double seconds) {
    Span::contains(jobStageNames[std::size_t(stage)].data(), int(stage), seconds);
  }
  void pauses(double seconds) { Span::contains("", -1, seconds); }
};

// Tells a stage that began before anybody listened.
void tellStage(JobStage stage, double begin);
// Tells seconds of a stage that are known in the end.
void tellSeconds(JobStage stage, double seconds);

// "read 12 ms, maps 140 ms, ..., unaccounted 3 ms (0.40%)"; stages that took no time are left out.
std::string accountText(const JobAccount& account);

}  // namespace spokelab
