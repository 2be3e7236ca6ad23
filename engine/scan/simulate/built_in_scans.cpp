#include "engine/scan/simulate/built_in_scans.h"

#include <map>
#include <mutex>

#include "engine/core/error.h"

namespace spokelab {
namespace {

SimulateOptions demoOptions() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial3d;
  o.trajectory.matrix = {64, 64, 64};
  // Steps of 1/2 cycle/FOV put the spokes' alias outside the image.
  o.trajectory.samplesPerShot = 128;
  o.trajectory.acceleration = 4;
  o.coils = 6;
  o.noise = 0.02;
  return o;
}

SimulateOptions fieldDemoOptions() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::spiral2d;
  o.trajectory.matrix = {80, 80, 1};
  o.trajectory.shots = 2;
  o.offResonance = {FieldShape::head, 90};
  o.shotPhase = 3;
  o.coils = 8;
  o.noise = 0.01;
  return o;
}

}  // namespace

bool isBuiltIn(std::string_view name) {
  return name == demoName || name == fieldDemoName;
}

SimulateOptions builtInOptions(std::string_view name) {
  return name == fieldDemoName ? fieldDemoOptions() : demoOptions();
}

std::shared_ptr<const Scan> builtInScan(std::string_view name, const Progress& progress) {
  if (!isBuiltIn(name))
    throw Error("Cannot make the scan " + std::string(name), "no scan of that name is built in",
                "Use demo or demo-field");
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Scan>, std::less<>> kept;
  const std::lock_guard lock(mutex);
  if (const auto made = kept.find(name); made != kept.end()) return made->second;
  // May be cancelled: then nothing is kept.
  const auto scan = std::make_shared<Scan>(*simulate(builtInOptions(name), progress));
  scan->name = name;
  return kept[std::string(name)] = scan;
}

}  // namespace spokelab
