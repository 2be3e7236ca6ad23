#include "engine/scan/formats/acquisitions/stream_acquisitions.h"

#include <ismrmrd/waveform.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

enum class Message : std::uint16_t {
  configFile = 1,
  configText = 2,
  header = 3,
  close = 4,
  text = 5,
  acquisition = 1008,
  image = 1022,
  waveform = 1026
};

constexpr std::uint64_t configFileBytes = 1024, maxTextBytes = 64u << 20;
static_assert(sizeof(AcquisitionHead) == 340, "the stream holds headers without gaps");
static_assert(sizeof(ISMRMRD::ISMRMRD_ImageHeader) == 198, "the stream holds headers without gaps");

const char* const copyStreamAgain = "Copy the file again, or write it again with the program that made it";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Bytes of an image's numbers; 0 for a type that ISMRMRD does not have.
std::uint64_t imageBytes(const ISMRMRD::ISMRMRD_ImageHeader& head) {
  static constexpr std::array<std::uint64_t, 9> bytes = {0, 2, 2, 4, 4, 4, 8, 8, 16};
  if (head.data_type >= bytes.size()) return 0;
  std::uint64_t count = head.channels;
  for (const std::uint16_t n : head.matrix_size) count *= n;
  return count * bytes[head.data_type];
}

}  // namespace

bool isAcquisitionStream(const fs::path& file) {
  const File in(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!in) return false;
  constexpr int maxMessagesBefore = 4;
  for (int i = 0; i < maxMessagesBefore; ++i) {
    std::uint16_t message = 0;
    std::uint32_t length = 0;
    if (std::fread(&message, sizeof message, 1, in.get()) != 1) return false;
    if (Message(message) == Message::configFile) {
      if (std::fseek(in.get(), long(configFileBytes), SEEK_CUR) != 0) return false;
      continue;
    }
    if (std::fread(&length, sizeof length, 1, in.get()) != 1 || length > maxTextBytes) return false;
    if (Message(message) == Message::header) {
      std::array<char, 64> start{};
      const std::string_view text(start.data(), std::fread(start.data(), 1, start.size(), in.get()));
      const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
      return first != std::string_view::npos && text[first] == '<';
    }
    if (Message(message) != Message::configText && Message(message) != Message::text) return false;
    if (std::fseek(in.get(), long(length), SEEK_CUR) != 0) return false;
  }
  return false;
}

StreamAcquisitions::StreamAcquisitions(fs::path file)
    : file_(std::move(file)), in_(std::fopen(file_.c_str(), "rb"), std::fclose) {
  if (!in_) fail(std::strerror(errno));
  fileBytes_ = fs::file_size(file_);
  takeMessages();
  if (xml_.empty()) fail("it has no header message");
  if (heads_.empty())
    throw Error("Cannot read " + file_.string(), "it holds no acquisitions (no shots)", copyStreamAgain);
}

void StreamAcquisitions::fail(const std::string& reason) const {
  throw Error("Cannot read " + file_.string(), reason, copyStreamAgain);
}

void StreamAcquisitions::take(void* data, std::uint64_t bytes) {
  if (bytes > fileBytes_ - at_ || std::fread(data, 1, bytes, in_.get()) != bytes)
    fail("the stream breaks off within a message, behind " +
         countText(std::int64_t(heads_.size()), "acquisition"));
  at_ += bytes;
}

void StreamAcquisitions::skip(std::uint64_t bytes) {
  if (bytes > fileBytes_ - at_ || std::fseek(in_.get(), long(at_ + bytes), SEEK_SET) != 0)
    fail("the stream breaks off within a message, behind " +
         countText(std::int64_t(heads_.size()), "acquisition"));
  at_ += bytes;
}

std::string StreamAcquisitions::takeText() {
  std::uint32_t length = 0;
  take(&length, sizeof length);
  if (length > maxTextBytes || length > fileBytes_ - at_)
    fail("a text of it claims " + bytesText(double(length)));
  std::string text(length, '\0');
  take(text.data(), length);
  text.resize(std::strlen(text.c_str()));
  return text;
}

void StreamAcquisitions::takeAcquisition() {
  AcquisitionHead& head = heads_.emplace_back();
  take(&head, sizeof head);
  offsets_.push_back(at_);
  const std::int64_t floats =
      floatsOf(head, AcquisitionMember::trajectory) + floatsOf(head, AcquisitionMember::data);
  skip(std::uint64_t(floats) * sizeof(float));
}

void StreamAcquisitions::skipImage() {
  ISMRMRD::ISMRMRD_ImageHeader head;
  take(&head, sizeof head);
  std::uint64_t attributes = 0;
  take(&attributes, sizeof attributes);
  skip(attributes);
  const std::uint64_t bytes = imageBytes(head);
  if (bytes == 0) fail("an image in it has an unknown type of numbers");
  skip(bytes);
}

bool StreamAcquisitions::takeWaveform() {
  ISMRMRD::ISMRMRD_WaveformHeader head;
  take(&head, sizeof head);
  const std::uint64_t count = std::uint64_t(head.channels) * head.number_of_samples,
                      bytes = count * sizeof(std::uint32_t);
  if (bytes > fileBytes_ - at_) skip(bytes);  // which fails
  std::vector<std::uint32_t> data(static_cast<std::size_t>(count));
  take(data.data(), bytes);
  return waveforms_.add(head, data);
}

void StreamAcquisitions::takeMessages() {
  std::int64_t images = 0, waveforms = 0;
  bool closed = false;
  while (!closed && at_ < fileBytes_) {
    std::uint16_t message = 0;
    take(&message, sizeof message);
    switch (Message(message)) {
      case Message::configFile:
        skip(configFileBytes);
        break;
      case Message::configText:
      case Message::text:
        takeText();
        break;
      case Message::header:
        if (!xml_.empty()) fail("it has two header messages: it is several scans, one behind the other");
        xml_ = takeText();
        break;
      case Message::acquisition:
        takeAcquisition();
        break;
      case Message::image:
        skipImage();
        ++images;
        break;
      case Message::waveform:
        waveforms += !takeWaveform();
        break;
      case Message::close:
        closed = true;
        break;
      default:
        fail("it has a message of the unknown kind " + std::to_string(message) + ", behind " +
             countText(std::int64_t(heads_.size()), "acquisition"));
    }
  }
  if (images > 0) ignored_.push_back(countText(images, "image"));
  if (waveforms > 0) ignored_.push_back(countText(waveforms, "waveform"));
  if (!heads_.empty()) waveforms_.finish(xml_, double(heads_.front().acquisition_time_stamp) * stampSeconds);
  if (!closed)
    remarks_.emplace_back("The stream ends without its closing message: acquisitions may be missing");
  else if (at_ < fileBytes_)
    remarks_.push_back(bytesText(double(fileBytes_ - at_)) +
                       " behind the stream's closing message were left alone");
}

void StreamAcquisitions::readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const {
  std::copy_n(heads_.begin() + begin, out.size(), out.begin());
}

void StreamAcquisitions::readArray(const std::string& name, std::vector<char>& out) const {
  if (!waveforms_.write(name, out)) fail("it holds no array " + name);
}

// An acquisition's data follow its trajectory.
std::uint64_t StreamAcquisitions::placeOf(AcquisitionMember member, std::size_t acquisition) const {
  const std::int64_t before =
      member == AcquisitionMember::data ? floatsOf(heads_[acquisition], AcquisitionMember::trajectory) : 0;
  return offsets_[acquisition] + std::uint64_t(before) * sizeof(float);
}

std::optional<PlainNumbers> StreamAcquisitions::plainNumbers(AcquisitionMember member,
                                                             const std::vector<AcquisitionHead>&) const {
  PlainNumbers plain;
  for (std::size_t i = 0; i < heads_.size(); ++i) plain.offsets.push_back(placeOf(member, i));
  return plain;
}

void StreamAcquisitions::read(AcquisitionMember member, std::int64_t begin,
                              const std::vector<AcquisitionHead>& heads, std::span<char> place,
                              const Use& use) const {
  Buffer<float> own;
  float* values = roomIn(place, member, heads, own);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::size_t acquisition = std::size_t(begin) + i;
    // The parent sends the heads back; they must match the file.
    const std::int64_t floats = floatsOf(heads_[acquisition], member);
    if (floats != floatsOf(heads[i], member)) fail("its acquisitions changed while it was read");
    if (std::fseek(in_.get(), long(placeOf(member, acquisition)), SEEK_SET) != 0 ||
        std::fread(values, sizeof(float), std::size_t(floats), in_.get()) != std::size_t(floats))
      fail("the file became shorter while it was read");
    use(i, values);
    values += floats;
  }
}

}  // namespace spokelab
