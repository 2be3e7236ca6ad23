// The state of motion at each shot by the source that a decision names.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct MotionSignal {
  std::vector<double> values;  // [shot]: of a breath any measure, of the heart its phase in [0, 1)
  std::string evidence;        // source and figures, in words
};

// By the decisions breathing-signal and heart-signal, which they record. Throw Error.
MotionSignal breathSignal(const Scan& scan, Decisions& d);
MotionSignal heartSignal(const Scan& scan, Decisions& d);

}  // namespace spokelab
