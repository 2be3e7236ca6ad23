// Stages of a transform and where its time went. What the stages do not cover is shown, not hidden.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "engine/core/measure/trace.h"
#include "engine/core/thread_pool.h"

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
  // Points that transforms took to or from all their images; a normal operator takes them twice.
  // 0: not counted.
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

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Books the time between construction and destruction to one stage, and to the thread's trace.
class StageTimer {
 public:
  StageTimer(StageTimings* timings, Stage stage)
      : timings_(timings),
        trace_(activeTrace()),
        stage_(stage),
        start_(timings || trace_ ? now() : 0),
        before_(timings ? poolWork() : PoolWork{}) {}
  ~StageTimer() {
    if (!timings_ && !trace_) return;
    const double end = now();
    if (trace_) trace_->add(stageNames[static_cast<std::size_t>(stage_)], SpanKind::transform, start_, end);
    if (!timings_) return;
    (*timings_)[stage_] += end - start_;
    const PoolWork after = poolWork();
    timings_->parallel[static_cast<std::size_t>(stage_)] += after.seconds - before_.seconds;
    timings_->worked[static_cast<std::size_t>(stage_)] += after.worked - before_.worked;
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  StageTimings* timings_;
  TraceRecorder* trace_;
  Stage stage_;
  double start_;
  PoolWork before_;
};

}  // namespace spokelab
