#include "engine/recon/job/time_trains.h"

#include <map>
#include <optional>
#include <set>

#include "engine/recon/job/job_plan.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

std::optional<std::size_t> axisOfTime(const FrameAxes& axes) {
  for (const auto meaning : {FrameMeaning::time, FrameMeaning::phase, FrameMeaning::frame,
                             FrameMeaning::average, FrameMeaning::echo}) {
    const auto axis = axes.find(meaning);
    if (!axis) continue;
    std::set<int> places;  // fewer than the axis has where some frames are left out
    for (int f = 0; f < axes.frames(); ++f) places.insert(axes.place(f, *axis));
    if (places.size() > 1) return axis;
  }
  return {};
}

}  // namespace

std::vector<int> timeTrains(const JobPlan& plan) {
  const FrameAxes& axes = plan.frameAxes;
  std::vector<int> trains(plan.frames.size(), 0);
  const auto time = axisOfTime(axes);
  const ReconMethod method = plan.recipe->method;
  const bool comparesTimes = method == ReconMethod::grasp || method == ReconMethod::lowRankSparse;
  if (!comparesTimes || !time) return trains;
  std::map<std::vector<int>, int> known;  // by the places along the other axes
  for (std::size_t f = 0; f < trains.size(); ++f) {
    std::vector<int> others;
    for (std::size_t a = 0; a < axes.axes.size(); ++a)
      if (a != *time) others.push_back(axes.place(int(f), a));
    trains[f] = known.emplace(std::move(others), int(known.size())).first->second;
  }
  return trains;
}

}  // namespace spokelab
