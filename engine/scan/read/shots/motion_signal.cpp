#include "engine/scan/read/shots/motion_signal.h"

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/read/shots/breathing_signal.h"
#include "engine/scan/read/shots/centre_samples.h"
#include "engine/scan/read/shots/oscillation.h"
#include "engine/scan/read/shots/trace_signal.h"

namespace spokelab {
namespace {

constexpr PeriodRange breathSeconds{1.5, 12}, heartSeconds{0.4, 1.8};

// The two signals of a periodic motion, a quarter of a period apart, at all shots (oscillation.h).
// `seconds`: the range of periods. If shots have no times, periods are counted in shots instead. In
// the errors, breathing = FILE is the decision that takes bins of any motion.
Oscillation oscillationAtShots(const Scan& scan, const PeriodRange& seconds, const char* what,
                               const Decisions& d) {
  const CentreCourses courses = centreCourses(scan, d.problem());
  const std::int64_t shots = scan.trajectories.front().shots();
  std::vector<double> times = courses.shots;
  PeriodRange range = seconds;
  if (scan.shotTimes.empty()) {
    constexpr double minShots = 6, cyclesOfScan = 3;
    range = {minShots, double(shots) / cyclesOfScan};
  } else {
    for (double& t : times) t = scan.shotTimes.front()[std::size_t(t)];
  }
  Oscillation found = findOscillation(courses.coils, times, range);
  if (!found.found)
    throw Error(
        d.problem(),
        std::string("the samples at the centre of k-space show no ") + what + " with a period of " +
            numberText(range.shortest) + " to " + numberText(range.longest, 3) +
            (scan.shotTimes.empty() ? " shots" : " s"),
        "Take another source of the signal, or give the bin of each shot in a file (breathing = FILE)");
  found.first = courses.atAllShots(found.first, shots);
  found.second = courses.atAllShots(found.second, shots);
  return found;
}

std::string words(const Oscillation& found, const Scan& scan) {
  return "by singular spectrum analysis of the magnitude at the centre of k-space (SSA-FARY), period " +
         numberText(found.period, 3) + (scan.shotTimes.empty() ? " shots, " : " s, ") +
         numberText(100 * found.share, 3) + " % of the variance";
}

}  // namespace

MotionSignal breathSignal(const Scan& scan, Decisions& d) {
  const std::string source =
      d.decide("breathing-signal", "centre", "needs no time stamps", {"centre", "ssa-fary", "pmu"});
  if (source == "pmu") {
    TraceSignal trace = breathOfTrace(scan, d.problem());
    return {std::move(trace.values), "by the trace " + trace.trace + " of the physiological unit"};
  }
  if (source == "ssa-fary") {
    Oscillation found = oscillationAtShots(scan, breathSeconds, "breathing", d);
    return {std::move(found.first), words(found, scan)};
  }
  BreathingSignal signal = breathingSignal(scan, d.problem());
  return {std::move(signal.values), "by the magnitude at the centre of k-space in " +
                                        countText(signal.centred, "shot") +
                                        ", first principal component of " + countText(scan.coils, "coil") +
                                        " (" + numberText(100 * signal.share, 3) +
                                        " % of the variance); about " + countText(signal.breaths, "breath")};
}

MotionSignal heartSignal(const Scan& scan, Decisions& d) {
  const bool traced = hasHeartTrace(scan);
  const std::string source =
      d.decide("heart-signal", traced ? "pmu" : "ssa-fary",
               traced ? "the file has a trace of the heart" : "the file has no trace of the heart",
               {"pmu", "ssa-fary"});
  if (source == "pmu") {
    TraceSignal trace = heartOfTrace(scan, d.problem());
    return {std::move(trace.values),
            "by the trace " + trace.trace + " of the physiological unit, " + countText(trace.beats, "beat")};
  }
  if (scan.shotTimes.empty())
    throw Error(d.problem(),
                "heartbeats are told from breaths by their time, and the shots have no time stamps",
                "Give the bin of each shot in a file (breathing = FILE)");
  const Oscillation found = oscillationAtShots(scan, heartSeconds, "heartbeat", d);
  return {phasesOf(found.first, found.second), words(found, scan)};
}

}  // namespace spokelab
