#include "engine/scan/formats/acquisitions/twix/twix_line.h"

#include <cmath>
#include <cstring>

namespace spokelab {
namespace {

template <class T>
void take(std::span<const char> bytes, std::size_t at, T& value) {
  std::memcpy(&value, bytes.data() + at, sizeof value);
}

void setDirections(const std::array<float, 4>& q, AcquisitionHead& head) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const std::array<double, 3> phase{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
  const std::array<double, 3> read{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
  const std::array<double, 3> slice{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
  for (std::size_t i = 0; i < 3; ++i) {
    head.phase_dir[i] = float(phase[i]);
    head.read_dir[i] = float(read[i]);
    head.slice_dir[i] = float(slice[i]);
  }
}

std::uint64_t flagsOf(const TwixLine& line) {
  using namespace ISMRMRD;
  std::uint64_t flags = 0;
  const auto set = [&](int bit) { flags |= std::uint64_t{1} << (bit - 1); };
  if (line.has(TwixFlag::noise)) set(ISMRMRD_ACQ_IS_NOISE_MEASUREMENT);
  if (line.has(TwixFlag::firstInSlice)) set(ISMRMRD_ACQ_FIRST_IN_SLICE);
  if (line.has(TwixFlag::lastInSlice)) set(ISMRMRD_ACQ_LAST_IN_SLICE);
  if (line.has(TwixFlag::lastInMeasurement)) set(ISMRMRD_ACQ_LAST_IN_MEASUREMENT);
  if (line.has(TwixFlag::calibrationAndImaging))
    set(ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
  else if (line.has(TwixFlag::calibration))
    set(ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION);
  if (line.has(TwixFlag::reflected)) set(ISMRMRD_ACQ_IS_REVERSE);
  if (line.has(TwixFlag::phaseCorrection)) set(ISMRMRD_ACQ_IS_PHASECORR_DATA);
  if (line.has(TwixFlag::realTimeFeedback)) {
    // EPI's three lines without phase encoding are marked for feedback, but are no navigators.
    set(ISMRMRD_ACQ_IS_RTFEEDBACK_DATA);
    if (!line.has(TwixFlag::phaseCorrection)) set(ISMRMRD_ACQ_IS_NAVIGATION_DATA);
  }
  if (line.has(TwixFlag::highPerformanceFeedback)) set(ISMRMRD_ACQ_IS_HPFEEDBACK_DATA);
  if (line.has(TwixFlag::dummy)) set(ISMRMRD_ACQ_IS_DUMMYSCAN_DATA);
  if (line.has(TwixFlag::phaseStabilizationReference)) set(ISMRMRD_ACQ_IS_PHASE_STABILIZATION_REFERENCE);
  if (line.has(TwixFlag::phaseStabilization)) set(ISMRMRD_ACQ_IS_PHASE_STABILIZATION);
  return flags;
}

}  // namespace

TwixLine parseTwixLine(TwixLayout layout, std::span<const char> b) {
  const bool vd = layout == TwixLayout::vd;
  TwixLine line;
  std::uint32_t packed = 0;
  constexpr std::uint32_t lengthMask = (1u << 25) - 1;
  take(b, 0, packed);
  line.packedBytes = packed & lengthMask;
  take(b, 4, line.measurement);
  take(b, 8, line.scanCounter);
  take(b, 12, line.timeStamp);
  take(b, 16, line.physiologyStamp);
  if (vd) take(b, 24, line.table);
  take(b, vd ? 40 : 20, line.flags);
  const std::size_t counts = vd ? 48 : 28;
  take(b, counts, line.samples);
  take(b, counts + 2, line.channels);
  take(b, counts + 4, line.counters);
  take(b, counts + 32, line.cutBefore);
  take(b, counts + 34, line.cutBehind);
  take(b, counts + 36, line.centreSample);
  take(b, counts + 48, line.centreLine);
  take(b, counts + 50, line.centrePartition);
  const std::size_t place = vd ? 100 : 96;
  take(b, place, line.position);
  take(b, place + 12, line.quaternion);
  if (!vd) take(b, 124, line.channel);
  return line;
}

std::uint64_t twixReadoutBytes(TwixLayout layout, const TwixLine& line) {
  constexpr std::uint64_t sampleBytes = 8;
  const std::uint64_t coils =
      line.channels * (std::uint64_t(line.samples) * sampleBytes + twixChannelBytes(layout));
  return layout == TwixLayout::vd ? twixLineBytes(layout) + coils : coils;
}

AcquisitionHead headOf(const TwixLine& line, float dwellMicroseconds) {
  AcquisitionHead head{};
  head.version = 1;
  head.flags = flagsOf(line);
  head.measurement_uid = line.measurement;
  head.scan_counter = line.scanCounter;
  head.acquisition_time_stamp = line.timeStamp;
  head.physiology_time_stamp[0] = line.physiologyStamp;
  head.number_of_samples = line.samples;
  head.available_channels = head.active_channels = line.channels;
  head.discard_pre = line.cutBefore;
  head.discard_post = line.cutBehind;
  head.center_sample = line.centreSample;
  head.sample_time_us = dwellMicroseconds;
  for (std::size_t i = 0; i < 3; ++i) {
    head.position[i] = line.position[i];
    head.patient_table_position[i] = float(line.table[i]);
  }
  setDirections(line.quaternion, head);
  auto& idx = head.idx;
  idx.kspace_encode_step_1 = line.counters[0];
  idx.average = line.counters[1];
  idx.slice = line.counters[2];
  idx.kspace_encode_step_2 = line.counters[3];
  idx.contrast = line.counters[4];
  idx.phase = line.counters[5];
  idx.repetition = line.counters[6];
  idx.set = line.counters[7];
  idx.segment = line.counters[8];
  for (std::size_t i = 0; i < 5; ++i) idx.user[i] = line.counters[9 + i];
  idx.user[centreLineUser] = line.centreLine;
  idx.user[centrePartitionUser] = line.centrePartition;
  return head;
}

}  // namespace spokelab
