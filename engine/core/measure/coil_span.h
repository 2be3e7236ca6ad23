// The coils that a part of a job takes at once, as a span: "coil 3", "coils 1 to 8".
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/measure/spans.h"

namespace spokelab {

class CoilSpan {
 public:
  // Coils [first, first + count), counted from 0.
  CoilSpan(std::int64_t first, std::int64_t count)
      : first_(first), count_(count), begin_(isWatched(SpanKind::iteration) ? now() : 0) {}
  ~CoilSpan() {
    // The span is for the trace, which alone hears iterations: without a trace nothing is told.
    if (!isWatched(SpanKind::iteration)) return;
    const std::string from = std::to_string(first_ + 1), to = std::to_string(first_ + count_);
    tellSpan(count_ == 1 ? "coil " + from : "coils " + from + " to " + to, SpanKind::transform, begin_,
             now());
  }
  CoilSpan(const CoilSpan&) = delete;
  CoilSpan& operator=(const CoilSpan&) = delete;

 private:
  std::int64_t first_, count_;
  double begin_;
};

}  // namespace spokelab
