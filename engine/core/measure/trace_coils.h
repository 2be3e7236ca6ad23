// The coils that a part of a job takes at once, in the thread's trace: "coil 3", "coils 1 to 8".
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/measure/trace.h"
#include "engine/core/stage_timer.h"

namespace spokelab {

// Coils [first, first + count), counted from 0, since `begin`.
inline void traceCoils(std::int64_t first, std::int64_t count, double begin) {
  if (!activeTrace()) return;
  const std::string from = std::to_string(first + 1), to = std::to_string(first + count);
  traceSpan(count == 1 ? "coil " + from : "coils " + from + " to " + to, SpanKind::transform, begin, now());
}

}  // namespace spokelab
