// A part of a job's stage in the trace: from construction to destruction.
#pragma once

#include <string_view>

#include "engine/core/measure/trace.h"
#include "engine/core/stage_timer.h"

namespace spokelab {

class TracePart {
 public:
  explicit TracePart(std::string_view name) : name_(name), start_(now()) {}
  ~TracePart() { traceSpan(name_, SpanKind::transform, start_, now()); }
  TracePart(const TracePart&) = delete;
  TracePart& operator=(const TracePart&) = delete;

 private:
  std::string_view name_;
  double start_;
};

}  // namespace spokelab
