#include "engine/nufft/problem/workload.h"

#include <cstdint>

#include "engine/core/text.h"

namespace spokelab {

std::string workloadText(const Workload& workload) {
  const std::string what(directionName(workload.direction));
  if (std::isinf(workload.executions)) return what + ", executions alone";
  const auto count = [](double n) { return static_cast<std::int64_t>(std::llround(n)); };
  std::string text = what + ", " + countText(count(workload.executions), "execution");
  text += workload.pointSets > 1
              ? " for each of " + countText(count(workload.pointSets), "set of points", "sets of points")
              : " for a set of points";
  if (workload.together > 1) text += ", up to " + std::to_string(count(workload.together)) + " set together";
  if (workload.onDevice) text += ", data on the device";
  return text;
}

}  // namespace spokelab
