// Waveforms of an ISMRMRD HDF5 file: "/<group>/waveforms", a list of { head, variable-length data
// }.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Adds the waveforms of a group to `traces`; fileBytes bounds what they may hold. Returns the
// number of those that cannot be read.
std::int64_t readWaveforms(hid_t file, const std::string& group, std::int64_t fileBytes,
                           WaveformTraces& traces);

inline constexpr std::string_view tracePrefix = "PMU ";

// The traces among a scan's arrays that waveforms can hold: at even steps, in whole counts from 0.
std::vector<const NamedArray*> writtenTraces(const std::vector<NamedArray>& arrays);

// Writes them beside the acquisitions of `group`, by numbers in their order; nothing without any.
// False: the file does not take them.
bool writeWaveforms(hid_t group, const std::vector<NamedArray>& arrays);

}  // namespace spokelab
