#include "engine/scan/read/correct/correct_scales.h"

#include <cmath>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

const char* const topicOfScales = "axis-scales";
constexpr double leastScale = 0.5, mostScale = 2;

}  // namespace

void correctScales(Scan& scan, Decisions& d) {
  const std::string choice = d.override(topicOfScales);
  if (choice.empty()) return;
  if (choice == "none") {
    d.decide(topicOfScales, "none", "", {});
    return;
  }
  const std::vector<double> scales = realNumberList(choice, d.problem());
  const auto dims = std::size_t(scan.dims());
  bool fits = scales.size() == dims;
  for (const double s : scales) fits = fits && s >= leastScale && s <= mostScale;
  if (!fits)
    throw Error(d.problem(), "axis-scales=" + choice + " is not a factor for each of its axes",
                "Give " + std::to_string(dims) + " factors from 0.5 to 2, as in " +
                    (dims == 3 ? "1.01,0.99,1" : "1.01,0.99"));
  double before = 0, after = 0;
  for (Trajectory& t : scan.trajectories)
    for (std::size_t i = 0; i < t.points.size(); ++i) {
      before = std::max(before, std::abs(t.points[i]));
      t.points[i] *= scales[i % dims];
      after = std::max(after, std::abs(t.points[i]));
    }
  d.decide(topicOfScales, "none",
           "the largest |k| along an axis was " + numberText(before, 5) + " and is " + numberText(after, 5) +
               " cycles/FOV",
           {"none"});
}

}  // namespace spokelab
