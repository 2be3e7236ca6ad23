#include "engine/scan/read/description/axes_reading.h"

#include <algorithm>

#include "engine/core/text.h"

namespace spokelab {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

}  // namespace

std::string readingText(const AxesReading& reading) {
  const std::string samples = joined(reading.samples, ",");
  return reading.trajectory.empty() ? samples : samples + "/" + joined(reading.trajectory, ",");
}

AxesReading parseReading(const std::string& text) {
  const std::vector<std::string> parts = split(text, '/');
  AxesReading reading;
  reading.samples = split(parts.front(), ',');
  if (parts.size() > 1) reading.trajectory = split(parts[1], ',');
  return reading;
}

std::vector<std::string> withoutColumn(std::vector<std::string> trajectory) {
  std::erase(trajectory, "column");
  return trajectory;
}

const std::vector<std::string>& axisNames() {
  static const std::vector<std::string> names = {"frame", "time",    "echo",   "phase",   "average",
                                                 "set",   "segment", "slice",  "coil",    "partition",
                                                 "shot",  "sample",  "column", "complex", "one"};
  return names;
}

bool isAxisName(const std::string& name) {
  const auto& names = axisNames();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace spokelab
