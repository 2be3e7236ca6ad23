// A measurement of a twix file as acquisitions: its readouts, with flags and counters in ISMRMRD's
// words (twix_line.h), its protocol as a header text (twix_header.h), and the traces of the
// physiological unit as arrays [2, sample]: seconds since the first readout, and the signal.
// Readouts of an image that have up to four different lengths get an encoding space for each
// length, the one with the most samples first: spectra and images in one measurement do not share a
// trajectory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/file_bytes.h"
#include "engine/scan/formats/acquisitions/stored_acquisitions.h"
#include "engine/scan/formats/acquisitions/twix/twix_file.h"
#include "engine/scan/formats/acquisitions/twix/twix_line.h"
#include "engine/scan/formats/acquisitions/twix/twix_protocol.h"
#include "engine/scan/formats/acquisitions/twix/twix_traces.h"

namespace spokelab {

class TwixAcquisitions final : public StoredAcquisitions {
 public:
  // `measurement`: its number from 1; "" is the last. Goes through all lines once. Throws Error.
  TwixAcquisitions(std::filesystem::path file, const std::string& measurement);

  const std::string& xml() const override { return xml_; }
  std::int64_t count() const override { return std::int64_t(heads_.size()); }
  void readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const override;
  const std::vector<std::string>& arrayNames() const override { return traceNames_; }
  const std::vector<std::string>& ignored() const override { return ignored_; }
  const std::vector<std::string>& remarks() const override { return remarks_; }
  void readArray(const std::string& name, std::vector<char>& out) const override;
  // Each readout lay within the file when it was opened.
  void checkLengths(const std::vector<AcquisitionHead>&) const override {}
  std::optional<PlainNumbers> plainNumbers(AcquisitionMember member,
                                           const std::vector<AcquisitionHead>& heads) const override;
  void read(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
            std::span<char> place, const Use& use) const override;

 private:
  void takeLines(std::uint64_t begin, std::uint64_t end, const TwixProtocol& protocol, TwixTraces& traces);
  void takeReadout(std::uint64_t at, const TwixLine& line, std::span<const char> bytes,
                   const TwixProtocol& protocol);
  void makeHeader(const TwixProtocol& protocol, const std::string& protocolName);
  void keepTraces(const TwixTraces& traces);

  FileBytes bytes_;
  TwixLayout layout_;
  std::string xml_;
  std::vector<AcquisitionHead> heads_;
  std::vector<std::uint64_t> offsets_;  // of the first coil's samples of each readout
  std::vector<int> receivers_;          // of the image's readouts, in the order of their samples
  std::vector<std::string> traceNames_, ignored_, remarks_;
  std::vector<std::vector<float>> traces_;  // [trace][2, sample]
};

}  // namespace spokelab
