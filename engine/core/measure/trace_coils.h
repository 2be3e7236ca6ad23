// The coils that a part of a job takes at once, in the thread's trace: "coil 3", "coils 1 to 8".
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/measure/trace.h"
#include "engine/core/stage_timer.h"

namespace spokelab {

class TraceCoils {
 public:
  // Coils [first, first + count), counted from 0.
  TraceCoils(std::int64_t first, std::int64_t count)
      : first_(first), count_(count), start_(activeTrace() ? now() : 0) {}
  ~TraceCoils() {
    if (!activeTrace()) return;
    traceSpan(count_ == 1 ? "coil " + std::to_string(first_ + 1)
                          : "coils " + std::to_string(first_ + 1) + " to " + std::to_string(first_ + count_),
              SpanKind::transform, start_, now());
  }
  TraceCoils(const TraceCoils&) = delete;
  TraceCoils& operator=(const TraceCoils&) = delete;

 private:
  std::int64_t first_, count_;
  double start_;
};

}  // namespace spokelab
