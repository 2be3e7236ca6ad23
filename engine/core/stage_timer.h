// Stages of a transform and where its time went. What the stages do not cover is shown, not hidden.
#pragma once

#include <array>
#include <string_view>

#include "engine/core/measure/spans.h"

namespace spokelab {

enum class Stage { sort, zero, spread, fft, deapodize, interpolate, multiply, transfer };
inline constexpr int stageCount = 8;
inline constexpr std::array<std::string_view, stageCount> stageNames = {
    "sort", "zero", "spread", "fft", "deapodize", "interpolate", "multiply", "transfer"};

// Seconds. A fused kernel's time is booked to its main stage. bytes: what the stage had to move at
// least (0 = not counted); bytes / seconds is the achieved bandwidth.
struct StageTimings {
  std::array<double, stageCount> seconds{};
  std::array<double, stageCount> bytes{};
  // CPU: seconds in parallel calls, and seconds that all threads together worked in them
  // (PoolWork).
  std::array<double, stageCount> parallel{}, worked{};
  double total = 0;
  // The points of a transform times its images, summed over transforms; a normal operator counts as
  // two. 0: not counted.
  double points = 0;
  // A multiply with a transfer function is fused with the FFTs, whose time holds it.
  bool multiplyInFft = false;

  double& operator[](Stage s) { return seconds[static_cast<int>(s)]; }
  double operator[](Stage s) const { return seconds[static_cast<int>(s)]; }
  double accounted() const {
    double sum = 0;
    for (double s : seconds) sum += s;
    return sum;
  }
  double unaccounted() const { return total - accounted(); }
  double interpolation() const { return (*this)[Stage::spread] + (*this)[Stage::interpolate]; }
  double fft() const { return (*this)[Stage::fft]; }
  double pointsPerSecond() const { return total > 0 ? points / total : 0; }
  // The rate of the stages whose bytes are counted; 0: no stage's are.
  double bytesPerSecond() const {
    double moved = 0, took = 0;
    for (std::size_t s = 0; s < std::size_t(stageCount); ++s)
      if (bytes[s] > 0) {
        moved += bytes[s];
        took += seconds[s];
      }
    return took > 0 ? moved / took : 0;
  }
  double rest() const { return total - interpolation() - fft(); }

  StageTimings& operator+=(const StageTimings& o) {
    for (int i = 0; i < stageCount; ++i) {
      seconds[i] += o.seconds[i];
      bytes[i] += o.bytes[i];
      parallel[i] += o.parallel[i];
      worked[i] += o.worked[i];
    }
    total += o.total;
    points += o.points;
    multiplyInFft |= o.multiplyInFft;
    return *this;
  }
};

// The displayed name of a stage: a fused kernel's name tells all of its work.
inline std::string_view shownName(const StageTimings& timings, Stage stage) {
  if (stage == Stage::fft && timings.multiplyInFft) return "fft and multiply";
  return stageNames[static_cast<std::size_t>(stage)];
}

// The span of a stage, from construction to destruction.
class StageTimer : public Span {
 public:
  explicit StageTimer(Stage stage)
      : Span(stageNames[static_cast<std::size_t>(stage)].data(), SpanKind::transform,
             static_cast<int>(stage)) {}
};

// Adds the stages of this thread's transforms to timings while it lives, and the time of their
// calls to the total. A GPU waits for each stage to time it.
class StageRecorder final : public SpanListener {
 public:
  explicit StageRecorder(StageTimings& timings) : timings_(timings), scope_(this) {}
  SpanKinds hears() const override { return kindsOfStages; }
  SpanKinds books() const override { return kindsOfStages; }
  void ended(const SpanRecord& span) override {
    if (span.booked) return;
    if (span.kind == SpanKind::call) timings_.total += span.seconds;
    if (span.stage < 0) return;
    const auto stage = static_cast<std::size_t>(span.stage);
    timings_.seconds[stage] += span.seconds;
    timings_.bytes[stage] += span.bytes;
    timings_.parallel[stage] += span.parallel;
    timings_.worked[stage] += span.worked;
    timings_.multiplyInFft |= span.multiplies;
  }

 private:
  StageTimings& timings_;
  const SpanScope scope_;
};

// The stages of the transforms that a call makes.
template <class Call>
StageTimings timedStages(const Call& call) {
  StageTimings timings;
  const StageRecorder view(timings);
  call();
  return timings;
}

// Tells the stages that several threads did, as if this thread had: their sums.
inline void tellStages(const StageTimings& timings) {
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s) {
    SpanRecord record{.name = stageNames[s], .kind = SpanKind::transform, .stage = static_cast<int>(s)};
    record.seconds = timings.seconds[s];
    record.bytes = timings.bytes[s];
    record.parallel = timings.parallel[s];
    record.worked = timings.worked[s];
    record.multiplies = timings.multiplyInFft;
    record.sum = true;
    tellSpan(record);
  }
}

}  // namespace spokelab
