// A Siemens protocol as the header text of ISMRMRD, so that the steps of the reader need to know
// one header only. Lengths in mm, times in ms. What the protocol lacks is left out, for the reader
// to decide. The patient is kept in subjectInformation, which nothing writes unasked
// (formats/patient/patient.h).
#pragma once

#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/acquisitions/twix/twix_protocol.h"

namespace spokelab {

struct TwixReadouts {
  std::vector<int> lengths;  // distinct numbers of samples of an image's readouts; an encoding space each
  int channels = 0;
  std::vector<int> receivers;     // numbers of the receivers, in the order of the samples
  int lines = 0, partitions = 0;  // last counter + 1
  int centreLine = -1, centrePartition = -1;
  bool reflected = false;  // some run backwards
};

std::string twixHeader(const TwixProtocol& protocol, const std::string& protocolName,
                       const TwixReadouts& readouts);

// Time between samples of an echo, in microseconds; 0: the protocol does not say.
float twixDwell(const TwixProtocol& protocol, int echo);

}  // namespace spokelab
