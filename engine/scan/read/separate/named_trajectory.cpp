#include "engine/scan/read/separate/named_trajectory.h"

namespace spokelab {

GivenTrajectory namedTrajectory(const std::string& text, const NamedShape& shape, const std::string& unit,
                                const std::function<CentreSamples()>& samples, Decisions& d,
                                const Progress& progress) {
  TrajectoryName name = parseTrajectoryName(text, d.problem());
  if (name.variant.empty() || !d.override("trajectory-shift").empty())
    name = findTrajectory(name, shape, samples(), d, progress);
  GivenTrajectory t;
  t.name = name.text();
  t.unit = unit;
  t.columns = trajectoryFamily(name.family, d.problem()).dims;
  t.values = namedPoints(name, shape, d.problem());
  t.shotLengths.assign(std::size_t(shape.shots), shape.samples);
  t.hasShots = true;
  t.acquired = true;
  t.remark = "made from its name";
  return t;
}

}  // namespace spokelab
