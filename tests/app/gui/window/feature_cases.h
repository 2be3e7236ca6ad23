// Actions in the window whose events are timed (test_feature_latency.cpp): one case for each thing
// that a user does once, of all features.
#pragma once

#include <functional>
#include <vector>

#include "tests/app/gui/window/desk.h"
#include "tests/event_probe.h"

namespace spokelab {

// The action, as an event of the loop, and its end. `before` is not watched.
struct FeatureCase {
  const char* name;
  std::function<void(Desk&)> before, act;
  std::function<bool(Desk&)> over;
  double allowedMs = longestAllowed;  // of one event
  DeskScan scan = DeskScan::whole;
};

inline FeatureCase onScan(DeskScan scan, FeatureCase what) {
  what.scan = scan;
  return what;
}
inline std::vector<FeatureCase> onLightScan(std::vector<FeatureCase> cases) {
  for (FeatureCase& what : cases)
    if (what.scan == DeskScan::whole) what.scan = DeskScan::light;
  return cases;
}

std::vector<FeatureCase> reconCases();
std::vector<FeatureCase> longCases();
std::vector<FeatureCase> timingCases();
std::vector<FeatureCase> profileCases();
std::vector<FeatureCase> viewCases();
std::vector<FeatureCase> fileCases();
std::vector<FeatureCase> returnCases();
std::vector<FeatureCase> windowCases();
std::vector<FeatureCase> handCases();

inline bool isIdle(Desk& desk) {
  return desk.idle();
}
inline bool wasSaved(Desk& desk) {
  return desk.saved.count() + desk.failed.count() > 0;
}

// The list of runs has so many, five of them drawn.
inline constexpr int manyRuns = 200;
void haveManyRuns(Desk& desk);

}  // namespace spokelab
