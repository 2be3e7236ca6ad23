// A way to name the axes of a scan's arrays, and its text: the choices of the decision array-axes.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

// Names in the arrays' own orders. An empty trajectory: its axes are as described.
struct AxesReading {
  std::vector<std::string> samples, trajectory;

  bool operator==(const AxesReading&) const = default;
};

// "coil,shot,sample", or "time,coil,shot,sample/time,shot,sample,column" with the trajectory's
// axes.
std::string readingText(const AxesReading& reading);
AxesReading parseReading(const std::string& text);
// The names without "column", for weights and times that are stored as the points are.
std::vector<std::string> withoutColumn(std::vector<std::string> trajectory);

// The names that an axis can have: frame, time, echo, phase, average, set, segment, slice, coil,
// partition, shot, sample, column, complex and one.
const std::vector<std::string>& axisNames();
bool isAxisName(const std::string& name);

}  // namespace spokelab
