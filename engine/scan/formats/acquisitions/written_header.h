// The ISMRMRD header of a scan that is written.
#pragma once

#include <string>

#include "engine/scan/scan.h"

namespace spokelab {

// Encoding, frames, echo times, and names of traces by their numbers (waveforms/hdf5_waveforms.h).
std::string headerOf(const Scan& scan);

}  // namespace spokelab
