#include "engine/scan/formats/acquisitions/twix/twix_acquisitions.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <set>

#include "engine/core/array.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_worker.h"
#include "engine/scan/formats/acquisitions/twix/twix_header.h"

namespace spokelab {
namespace {

constexpr std::uint64_t maxHeaderBytes = 64u << 20;
constexpr std::size_t maxReadoutLengths = 4;

// Headers of lines, read ahead where lines are short.
class LineHeads {
 public:
  LineHeads(const FileBytes& bytes, std::size_t headBytes) : bytes_(bytes), headBytes_(headBytes) {}

  // The header at `at`; `lineBytes`: how long lines are here.
  std::span<const char> at(std::uint64_t at, std::uint64_t lineBytes) {
    constexpr std::uint64_t longLine = 1 << 14, shortAhead = 1 << 18;
    if (at < begin_ || at + headBytes_ > begin_ + window_.size()) {
      const std::uint64_t ahead = lineBytes >= longLine ? headBytes_ : shortAhead;
      window_.resize(std::size_t(std::min(ahead, bytes_.size() - at)));
      bytes_.read(at, window_);
      begin_ = at;
    }
    return std::span<const char>(window_).subspan(std::size_t(at - begin_), headBytes_);
  }

 private:
  const FileBytes& bytes_;
  std::size_t headBytes_;
  std::uint64_t begin_ = 0;
  std::vector<char> window_;
};

// True for a readout with samples of the image, not of noise, calibration, navigators or feedback.
bool isOfImage(const AcquisitionHead& head) {
  using namespace ISMRMRD;
  std::uint64_t others = 0;
  for (const int bit :
       {ISMRMRD_ACQ_IS_NOISE_MEASUREMENT, ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION, ISMRMRD_ACQ_IS_NAVIGATION_DATA,
        ISMRMRD_ACQ_IS_PHASECORR_DATA, ISMRMRD_ACQ_IS_HPFEEDBACK_DATA, ISMRMRD_ACQ_IS_RTFEEDBACK_DATA,
        ISMRMRD_ACQ_IS_DUMMYSCAN_DATA, ISMRMRD_ACQ_IS_PHASE_STABILIZATION_REFERENCE,
        ISMRMRD_ACQ_IS_PHASE_STABILIZATION})
    others |= std::uint64_t{1} << (bit - 1);
  return (head.flags & others) == 0 && head.number_of_samples > 0 && head.active_channels > 0;
}

template <class Key>
Key mostFrequentOf(const std::map<Key, std::int64_t>& counts, Key otherwise) {
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? otherwise : most->first;
}

TwixMeasurement chosen(const TwixTable& table, const std::string& number, const FileBytes& bytes) {
  if (number.empty()) return table.measurements.back();
  std::size_t n = 0;
  std::from_chars(number.data(), number.data() + number.size(), n);
  if (n < 1 || n > table.measurements.size())
    bytes.fail("it has no measurement " + printable(number) + "; it holds " +
               std::to_string(table.measurements.size()));
  return table.measurements[n - 1];
}

}  // namespace

TwixAcquisitions::TwixAcquisitions(std::filesystem::path file, const std::string& measurement)
    : bytes_(std::move(file), copyTwixAgain) {
  const TwixTable table = readTwixTable(bytes_.path());
  layout_ = table.layout;
  const TwixMeasurement m = chosen(table, measurement, bytes_);
  std::uint32_t headerBytes = 0;
  if (m.bytes < sizeof headerBytes) bytes_.fail("its measurement has no header");
  bytes_.read(m.offset, std::span(reinterpret_cast<char*>(&headerBytes), sizeof headerBytes));
  if (headerBytes < 2 * sizeof headerBytes || headerBytes > maxHeaderBytes || headerBytes > m.bytes)
    bytes_.fail("the header of its measurement claims " + bytesText(double(headerBytes)) +
                ", and the measurement has " + bytesText(double(m.bytes)));
  std::string header(headerBytes, '\0');
  bytes_.read(m.offset, header);
  const TwixProtocol protocol(std::move(header));
  if (protocol.empty())
    remarks_.emplace_back(
        "The protocol of the measurement is missing or damaged: sizes and times are guesses where the reader "
        "has to decide them");
  TwixTraces traces(protocol.nestedText("SoftwareVersions"));
  takeLines(m.offset + headerBytes, m.offset + m.bytes, protocol, traces);
  if (heads_.empty()) bytes_.fail("its measurement holds no readouts");
  makeHeader(protocol, m.protocol);
  keepTraces(traces);
}

void TwixAcquisitions::takeLines(std::uint64_t begin, std::uint64_t end, const TwixProtocol& protocol,
                                 TwixTraces& traces) {
  const std::size_t headBytes = twixLineBytes(layout_);
  LineHeads lines(bytes_, headBytes);
  std::uint64_t at = begin, lineBytes = 0;
  bool ended = false, brokenOff = false;
  std::vector<char> packet;
  while (!ended && !brokenOff && at + headBytes <= end) {
    const std::span<const char> bytes = lines.at(at, lineBytes);
    const TwixLine line = parseTwixLine(layout_, bytes);
    ended = line.has(TwixFlag::endOfMeasurement);
    if (ended) break;
    lineBytes = line.isReadout() ? twixReadoutBytes(layout_, line) : line.packedBytes;
    brokenOff = lineBytes < headBytes || lineBytes > end - at;
    if (brokenOff) break;
    if (line.isReadout()) {
      takeReadout(at, line, bytes, protocol);
    } else {
      packet.resize(std::size_t(lineBytes - headBytes));
      bytes_.read(at + headBytes, packet);
      traces.add(packet);
    }
    at += lineBytes;
  }
  if (!ended)
    remarks_.push_back("The measurement has no end mark: it breaks off behind " +
                       countText(std::int64_t(heads_.size()), "readout") +
                       ", as after an interrupted scan or an incomplete copy");
}

void TwixAcquisitions::takeReadout(std::uint64_t at, const TwixLine& line, std::span<const char> bytes,
                                   const TwixProtocol& protocol) {
  // Counter 4 is the echo: each echo can have another dwell time. Noise gets none.
  const float dwell = line.has(TwixFlag::noise) ? 0.0f : twixDwell(protocol, line.counters[4]);
  heads_.push_back(headOf(line, dwell));
  const std::uint64_t lead = layout_ == TwixLayout::vd ? bytes.size() : 0;
  offsets_.push_back(at + lead + twixChannelBytes(layout_));
  // The receivers' numbers are read once, at the first readout of the image.
  if (!receivers_.empty() || !isOfImage(heads_.back())) return;
  // A receiver's number is at byte 24 of a coil's header (VD), or 124 of the line's header (VB).
  const bool ofLine = layout_ == TwixLayout::vd;  // one header for all coils
  const std::uint64_t firstHead = ofLine ? at + bytes.size() : at, receiverAt = ofLine ? 24 : 124;
  for (std::uint64_t c = 0; c < line.channels; ++c) {
    std::uint16_t receiver = 0;
    const std::uint64_t step = line.samples * sizeof(cfloat) + twixChannelBytes(layout_);
    bytes_.read(firstHead + c * step + receiverAt,
                std::span(reinterpret_cast<char*>(&receiver), sizeof receiver));
    receivers_.push_back(receiver);
  }
}

void TwixAcquisitions::makeHeader(const TwixProtocol& protocol, const std::string& protocolName) {
  std::map<int, std::int64_t> samples, channels, centreLines, centrePartitions;
  TwixReadouts readouts;
  for (const AcquisitionHead& head : heads_) {
    if (!isOfImage(head)) continue;
    samples[head.number_of_samples] += std::int64_t(head.number_of_samples) * head.active_channels;
    ++channels[head.active_channels];
    readouts.lines = std::max<int>(readouts.lines, head.idx.kspace_encode_step_1 + 1);
    readouts.partitions = std::max<int>(readouts.partitions, head.idx.kspace_encode_step_2 + 1);
    readouts.reflected =
        readouts.reflected || ((head.flags >> (ISMRMRD::ISMRMRD_ACQ_IS_REVERSE - 1)) & 1) != 0;
  }
  for (const auto& [length, total] : samples) readouts.lengths.push_back(length);
  std::stable_sort(readouts.lengths.begin(), readouts.lengths.end(),
                   [&](int a, int b) { return samples[a] > samples[b]; });
  if (readouts.lengths.empty()) readouts.lengths.push_back(heads_.front().number_of_samples);
  const bool apart = readouts.lengths.size() <= maxReadoutLengths;
  if (!apart) readouts.lengths.resize(1);  // a trajectory whose shots differ in length
  for (AcquisitionHead& head : heads_) {
    if (!isOfImage(head)) continue;
    const auto length = std::find(readouts.lengths.begin(), readouts.lengths.end(), head.number_of_samples);
    if (apart) head.encoding_space_ref = std::uint16_t(length - readouts.lengths.begin());
    if (head.encoding_space_ref != 0) continue;
    ++centreLines[head.idx.user[centreLineUser]];
    ++centrePartitions[head.idx.user[centrePartitionUser]];
  }
  readouts.channels = mostFrequentOf(channels, 0);
  readouts.centreLine = mostFrequentOf(centreLines, -1);
  readouts.centrePartition = mostFrequentOf(centrePartitions, -1);
  readouts.receivers = receivers_;
  xml_ = twixHeader(protocol, protocolName, readouts);
}

void TwixAcquisitions::keepTraces(const TwixTraces& traces) {
  const double start = double(heads_.front().acquisition_time_stamp) * stampSeconds;
  for (const auto& [name, trace] : traces.signals()) {
    traceNames_.push_back("PMU " + name);
    std::vector<float>& values = traces_.emplace_back();
    for (const double t : trace.seconds) values.push_back(float(t - start));
    values.insert(values.end(), trace.values.begin(), trace.values.end());
  }
  if (traces.others() > 0)
    ignored_.push_back(countText(traces.others(), "block") + " of other devices' data");
}

void TwixAcquisitions::readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const {
  std::copy_n(heads_.begin() + begin, out.size(), out.begin());
}

void TwixAcquisitions::readArray(const std::string& name, std::vector<char>& out) const {
  const auto found = std::find(traceNames_.begin(), traceNames_.end(), name);
  if (found == traceNames_.end()) bytes_.fail("it holds no array " + name);
  const std::vector<float>& trace = traces_[std::size_t(found - traceNames_.begin())];
  ArrayFrame head;
  std::copy_n(name.begin(), std::min(name.size(), head.name.size() - 1), head.name.begin());
  head.axes = 2;
  head.shape = {2, std::int64_t(trace.size() / 2)};
  const std::vector<cfloat> values(trace.begin(), trace.end());
  out.resize(sizeof head + values.size() * sizeof(cfloat));
  std::memcpy(out.data(), &head, sizeof head);
  if (!values.empty()) std::memcpy(out.data() + sizeof head, values.data(), values.size() * sizeof(cfloat));
}

std::optional<PlainNumbers> TwixAcquisitions::plainNumbers(AcquisitionMember member,
                                                           const std::vector<AcquisitionHead>&) const {
  if (member != AcquisitionMember::data) return std::nullopt;
  return PlainNumbers{twixChannelBytes(layout_), offsets_};
}

void TwixAcquisitions::read(AcquisitionMember member, std::int64_t begin,
                            const std::vector<AcquisitionHead>& heads, std::span<char> place,
                            const Use& use) const {
  Buffer<float> own;
  float* values = roomIn(place, member, heads, own);
  std::vector<char> bytes;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::size_t readout = std::size_t(begin) + i;
    const AcquisitionHead& head = heads_[readout];
    // The parent sends the heads back; they must match the file.
    if (floatsOf(head, member) != floatsOf(heads[i], member))
      bytes_.fail("its readouts changed while it was read");
    if (member == AcquisitionMember::data) {
      const std::size_t coils = head.active_channels, samples = head.number_of_samples * sizeof(cfloat);
      bytes.resize(FileBytes::bytesOfPieces(coils, samples, twixChannelBytes(layout_)));
      bytes_.readPieces(offsets_[readout], coils, samples, twixChannelBytes(layout_), bytes);
      if (!bytes.empty()) std::memcpy(values, bytes.data(), coils * samples);
    }
    use(i, values);
    values += floatsOf(head, member);
  }
}

}  // namespace spokelab
