// Waveforms of an ISMRMRD HDF5 file: "/<group>/waveforms", a list of { head, variable-length data
// }.
#pragma once

#include <cstdint>
#include <string>

#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {

// Adds the waveforms of a group to `traces`; fileBytes bounds what they may hold. Returns the
// number of those that cannot be read.
std::int64_t readWaveforms(hid_t file, const std::string& group, std::int64_t fileBytes,
                           WaveformTraces& traces);

}  // namespace spokelab
