// Samples of a scan in documents: a readout with its spectrum, and the traces beside the samples.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/scan/look/raw_picture.h"

namespace spokelab {

// The readout at a place inside the scan: magnitude and phase (rad) of its samples, and the
// magnitude of its spectrum at its frequencies (Hz, or cycles of the readout where times are not
// known).
nlohmann::json readoutToJson(const Scan& scan, const RawPlace& place);

// Each trace of the physiological unit: its name, seconds since the first readout, and values.
nlohmann::json tracesToJson(const Scan& scan);

}  // namespace spokelab
