#include "engine/scan/formats/acquisitions/written_header.h"

#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/xml.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "engine/core/c_locale.h"
#include "engine/scan/formats/acquisitions/raw_data.h"
#include "engine/scan/formats/acquisitions/waveforms/hdf5_waveforms.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxLimit = std::numeric_limits<std::uint16_t>::max();

ISMRMRD::Optional<ISMRMRD::Limit>& limitOf(ISMRMRD::EncodingLimits& limits, FrameMeaning meaning) {
  switch (meaning) {
    case FrameMeaning::echo:
      return limits.contrast;
    case FrameMeaning::phase:
      return limits.phase;
    case FrameMeaning::average:
      return limits.average;
    case FrameMeaning::set:
      return limits.set;
    case FrameMeaning::segment:
      return limits.segment;
    case FrameMeaning::slice:
      return limits.slice;
    case FrameMeaning::frame:
    case FrameMeaning::time:
      break;
  }
  return limits.repetition;
}

}  // namespace

std::string headerOf(const Scan& scan) {
  ISMRMRD::IsmrmrdHeader h;
  h.experimentalConditions.H1resonanceFrequency_Hz = 0;
  ISMRMRD::AcquisitionSystemInformation system;
  system.systemVendor = std::string(ownVendor);
  system.receiverChannels = static_cast<unsigned short>(scan.coils);
  h.acquisitionSystemInformation = system;
  ISMRMRD::Encoding e;
  const Geometry& g = scan.geometry;
  e.encodedSpace.matrixSize =
      ISMRMRD::MatrixSize(std::uint16_t(g.matrix[0]), std::uint16_t(g.matrix[1]), std::uint16_t(g.matrix[2]));
  e.encodedSpace.fieldOfView_mm = {float(g.fov[0]), float(g.fov[1]), float(g.fov[2])};
  e.reconSpace = e.encodedSpace;
  const auto limit = [](std::int64_t count) {
    return ISMRMRD::Limit(0, std::uint16_t(std::min(maxLimit, count - 1)),
                          std::uint16_t(std::min(maxLimit, count / 2)));
  };
  e.encodingLimits.kspace_encoding_step_1 = limit(scan.trajectories.front().shots());
  e.encodingLimits.slice = limit(scan.slices);
  if (scan.frameAxes.empty()) e.encodingLimits.repetition = limit(scan.frames);
  for (const FrameAxis& axis : scan.frameAxes.axes)
    limitOf(e.encodingLimits, axis.meaning) = limit(axis.size);
  e.trajectory = ISMRMRD::TrajectoryType::OTHER;
  h.encoding.push_back(e);
  const auto echo = scan.frameAxes.find(FrameMeaning::echo);
  if (echo && !scan.frameAxes.axes[*echo].values.empty()) {
    constexpr double millisecondsPerSecond = 1e3;
    ISMRMRD::SequenceParameters sequence;
    sequence.TE = std::vector<float>();
    for (const double seconds : scan.frameAxes.axes[*echo].values)
      sequence.TE->push_back(float(seconds * millisecondsPerSecond));
    h.sequenceParameters = sequence;
  }
  for (const NamedArray* trace : writtenTraces(scan.arrays))
    h.waveformInformation.push_back(
        {trace->name.substr(tracePrefix.size()), ISMRMRD::WaveformType::OTHER, {}});
  ISMRMRD::UserParameters user;
  user.userParameterString.push_back({"trajectory_units", "cycles/FOV (-N/2..N/2)"});
  h.userParameters = user;
  std::ostringstream text;
  const CLocale decimalPoints;
  ISMRMRD::serialize(h, text);
  return text.str();
}

}  // namespace spokelab
