// Frames and slices that are read: the decisions read-frames and read-slices.
#include "engine/core/number_list.h"
#include "engine/scan/read/steps/read_steps.h"

namespace spokelab {
namespace {

template <class T>
void keep(std::vector<T>& values, const std::vector<int>& numbers) {
  std::vector<T> kept;
  for (const int n : numbers) kept.push_back(std::move(values[std::size_t(n)]));
  values = std::move(kept);
}

std::vector<int> asked(const std::string& topic, std::size_t count, Decisions& d) {
  const std::string choice = d.override(topic);
  if (choice.empty()) return {};
  d.settle(topic, "all", "there are " + std::to_string(count), {});
  return numberList(choice, int(count), d.problem());
}

}  // namespace

void keepAskedFor(Groups& groups, Decisions& d) {
  const std::vector<int> frames = asked("read-frames", groups.lines.size(), d);
  if (!frames.empty()) keep(groups.lines, frames);
  const std::vector<int> slices = asked("read-slices", groups.lines.front().size(), d);
  if (slices.empty()) return;
  for (auto& frame : groups.lines) keep(frame, slices);
  if (groups.sliceCounters.size() > 1 && !groups.slicesAreFrames) keep(groups.sliceCounters, slices);
}

}  // namespace spokelab
