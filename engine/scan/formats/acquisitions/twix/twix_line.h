// The header of a line (one readout of all coils), which Siemens calls measurement data header: 192
// bytes in front of all coils (VD), or 128 bytes in front of each coil (VB).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/acquisitions/twix/twix_file.h"

namespace spokelab {

// Bits of TwixLine::flags.
enum class TwixFlag {
  endOfMeasurement = 0,
  realTimeFeedback = 1,
  highPerformanceFeedback = 2,
  syncData = 5,
  lastInMeasurement = 11,
  phaseStabilizationReference = 14,
  phaseStabilization = 15,
  phaseCorrection = 21,
  calibration = 22,
  calibrationAndImaging = 23,
  reflected = 24,
  noise = 25,
  firstInSlice = 28,
  lastInSlice = 29,
  dummy = 51
};

struct TwixLine {
  std::uint64_t flags = 0;
  std::uint64_t packedBytes = 0;  // as the line itself says: with its header
  std::uint32_t scanCounter = 0, timeStamp = 0, physiologyStamp = 0;  // stamps in ticks of 2.5 ms
  std::uint32_t measurement = 0;
  std::uint16_t samples = 0, channels = 0;
  // line, average, slice, partition, echo, phase, repetition, set, segment, and five free ones
  std::array<std::uint16_t, 14> counters{};
  std::uint16_t cutBefore = 0, cutBehind = 0;  // samples to leave out
  std::uint16_t centreSample = 0, centreLine = 0, centrePartition = 0;
  std::uint16_t channel = 0;          // number of the receiver; VB only, VD has it in front of each coil
  std::array<float, 3> position{};    // mm: sagittal, coronal, transversal, which is LPS
  std::array<float, 4> quaternion{};  // (w, x, y, z) of the rotation to phase, read, slice
  std::array<std::int32_t, 3> table{};

  bool has(TwixFlag flag) const { return (flags >> int(flag)) & 1; }
  // True if the line has samples: it is neither the end nor data of other devices.
  bool isReadout() const { return !has(TwixFlag::endOfMeasurement) && !has(TwixFlag::syncData); }
};

constexpr std::size_t twixLineBytes(TwixLayout layout) {
  return layout == TwixLayout::vd ? 192 : 128;
}
// Bytes of the header in front of each coil's samples.
constexpr std::size_t twixChannelBytes(TwixLayout layout) {
  return layout == TwixLayout::vd ? 32 : 128;
}

// `bytes`: twixLineBytes() of them.
TwixLine parseTwixLine(TwixLayout layout, std::span<const char> bytes);

// Bytes of a readout, from its header to the next line.
std::uint64_t twixReadoutBytes(TwixLayout layout, const TwixLine& line);

// User counters in which siemens_to_ismrmrd keeps line and partition of the centre of k-space.
inline constexpr std::size_t centreLineUser = 5, centrePartitionUser = 6;  // in idx.user

// The same in ISMRMRD's words. Directions as the line has them: read, phase and slice are the
// second, first and third column of its rotation.
AcquisitionHead headOf(const TwixLine& line, float dwellMicroseconds);

}  // namespace spokelab
