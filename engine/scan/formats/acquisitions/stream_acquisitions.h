// A stream of ISMRMRD messages in a file, as siemens_to_ismrmrd writes it by default since 1.3 and
// as reconstruction servers are fed. Each message begins with its kind, a number of 16 bits:
// HEADER (3): a length of 32 bits and the header text. ACQUISITION (1008): 340 bytes of header,
// trajectory and data. CLOSE (4): the end. Format: https://ismrmrd.readthedocs.io (serialization).
// Waveforms become traces (waveform_traces.h); images and texts are passed over.
// Little-endian. A stream that breaks off within a message is refused; one that ends without CLOSE
// is read, with a remark.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/stored_acquisitions.h"
#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"

namespace spokelab {

// Recognises a stream by its first messages: at most three configurations or texts, then a header
// text that begins like XML.
bool isAcquisitionStream(const std::filesystem::path& file);

class StreamAcquisitions final : public StoredAcquisitions {
 public:
  // Reads all headers and skips the samples. Throws Error.
  explicit StreamAcquisitions(std::filesystem::path file);

  const std::string& xml() const override { return xml_; }
  std::int64_t count() const override { return std::int64_t(heads_.size()); }
  void readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const override;
  const std::vector<std::string>& arrayNames() const override { return waveforms_.names(); }
  const std::vector<std::string>& ignored() const override { return ignored_; }
  const std::vector<std::string>& remarks() const override { return remarks_; }
  void readArray(const std::string& name, std::vector<char>& out) const override;
  // Each acquisition lay within the file when it was opened.
  void checkLengths(const std::vector<AcquisitionHead>&) const override {}
  std::optional<PlainNumbers> plainNumbers(AcquisitionMember member,
                                           const std::vector<AcquisitionHead>& heads) const override;
  void read(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
            std::span<char> place, const Use& use) const override;

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  std::uint64_t placeOf(AcquisitionMember member, std::size_t acquisition) const;
  void take(void* data, std::uint64_t bytes);
  void skip(std::uint64_t bytes);
  void takeMessages();
  void takeAcquisition();
  void skipImage();
  bool takeWaveform();
  std::string takeText();

  std::filesystem::path file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> in_;
  std::uint64_t fileBytes_ = 0, at_ = 0;
  std::string xml_;
  std::vector<AcquisitionHead> heads_;
  std::vector<std::uint64_t> offsets_;  // of each acquisition's trajectory
  WaveformTraces waveforms_;
  std::vector<std::string> ignored_, remarks_;
};

}  // namespace spokelab
