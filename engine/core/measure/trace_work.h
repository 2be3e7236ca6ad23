// Keeps the threads' pieces of work out of a trace while plans are timed; the stages of their
// transforms are recorded. A span for every piece would lengthen the times that are compared.
#pragma once

namespace spokelab {

// While it lives, transforms of this thread record no pieces of work in the trace.
class TraceWithoutWork {
 public:
  TraceWithoutWork() noexcept;
  ~TraceWithoutWork();
  TraceWithoutWork(const TraceWithoutWork&) = delete;
  TraceWithoutWork& operator=(const TraceWithoutWork&) = delete;

 private:
  bool before_;
};

bool tracesWork() noexcept;

}  // namespace spokelab
