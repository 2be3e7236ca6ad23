// Breath and heartbeat at each shot by traces that a physiological unit recorded beside the scan:
// arrays "PMU RESP", "PMU ECG1" ..., [2, n], seconds since the first shot and the signal.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct TraceSignal {
  // [shot]: of a breath the belt's signal, of the heart the phase in [0, 1).
  std::vector<double> values;
  std::string trace;  // its name: "RESP"
  int beats = 0;      // of the heart, in the trace
};

// True if a physiological unit recorded the array: "PMU NAME", [2, n], seconds and values.
bool isTrace(const NamedArray& array);

bool hasHeartTrace(const Scan& scan);

// Of the first frame. Throw Error: no such trace, shots without times or outside it, no beats.
TraceSignal breathOfTrace(const Scan& scan, const std::string& problem);
// By the peaks of ECG or pulse, of several traces the most even; the phase grows evenly between.
TraceSignal heartOfTrace(const Scan& scan, const std::string& problem);

}  // namespace spokelab
