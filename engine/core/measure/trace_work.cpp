#include "engine/core/measure/trace_work.h"

#include <utility>

namespace spokelab {
namespace {

thread_local bool leftOut = false;

}  // namespace

TraceWithoutWork::TraceWithoutWork() noexcept : before_(std::exchange(leftOut, true)) {
}

TraceWithoutWork::~TraceWithoutWork() {
  leftOut = before_;
}

bool tracesWork() noexcept {
  return !leftOut;
}

}  // namespace spokelab
