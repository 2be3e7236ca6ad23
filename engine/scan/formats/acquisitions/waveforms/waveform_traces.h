// Waveforms that ISMRMRD files hold beside the acquisitions (ECG, pulse, respiration, triggers), as
// the traces that raw data of scanners have: arrays "PMU NAME", [2, n], seconds since the first
// readout and the signal. Names are those of the header's waveformInformation, by the waveforms'
// numbers, or the ones that siemens_to_ismrmrd counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ismrmrd/waveform.h>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace spokelab {

class WaveformTraces {
 public:
  // data: [channel, sample]. False: not as long as the head says, or more than traces may hold.
  bool add(const ISMRMRD::ISMRMRD_WaveformHeader& head, std::span<const std::uint32_t> data);
  // Call it after all are added. firstSeconds: the stamp of the first readout.
  void finish(const std::string& xml, double firstSeconds);

  const std::vector<std::string>& names() const { return names_; }
  // An ArrayFrame and the values, as complex64. False for another name.
  bool write(const std::string& name, std::vector<char>& out) const;

 private:
  struct Trace {
    std::vector<double> seconds;
    std::vector<float> values;
  };
  std::map<std::pair<int, int>, Trace> traces_;  // by number and channel
  std::size_t valueCount_ = 0;
  std::vector<std::string> names_;  // in the order of traces_
  double first_ = 0;
};

}  // namespace spokelab
