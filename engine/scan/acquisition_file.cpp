#include "engine/scan/acquisition_file.h"

#include "engine/core/array.h"
#include "engine/scan/acquisition_worker.h"
#include "engine/scan/memory_check.h"

namespace spokelab {
namespace {

constexpr std::size_t longestName = 1 << 16;
constexpr std::uint64_t leastCpuSeconds = 3;
constexpr std::uint64_t bytesPerCpuSecond = 10u << 20;  // far below what a sound file takes

const char* const copyAgain = "Copy the file again, or write it again with the program that made it";

std::uint64_t cpuSecondsFor(const std::filesystem::path& file) {
  return leastCpuSeconds + std::filesystem::file_size(file) / bytesPerCpuSecond;
}

}  // namespace

AcquisitionFile::AcquisitionFile(const std::filesystem::path& file, const std::string& group,
                                 const Progress& progress)
    : child_("Cannot read " + file.string(), copyAgain, cpuSecondsFor(file),
             [&](int socket) { serveAcquisitions(socket, file, group); }) {
  const std::uintmax_t fileBytes = std::filesystem::file_size(file);
  for (;;) {
    const ChildFrame frame = child_.next(progress);
    if (frame.kind == ChildMessage::done) break;
    if (frame.kind == ChildMessage::xml) {
      if (frame.bytes > fileBytes) child_.fail("its header is longer than the file");
      xml_.resize(frame.bytes);
      child_.receive(xml_.data(), xml_.size(), progress);
    } else if (frame.kind == ChildMessage::heads && frame.bytes % sizeof(AcquisitionHead) == 0) {
      const std::size_t known = heads_.size(), more = frame.bytes / sizeof(AcquisitionHead);
      if (known == 0)
        requireMemory(double(frame.position) * sizeof(AcquisitionHead), "Cannot read " + file.string(),
                      "the list of acquisitions", copyAgain);
      heads_.resize(known + more);
      child_.receive(heads_.data() + known, frame.bytes, progress);
      progress.report(double(heads_.size()) / double(frame.position), "Reading acquisition headers");
    } else if (frame.kind == ChildMessage::array) {
      receiveArray(frame, progress);
    } else if (frame.kind == ChildMessage::ignored && frame.bytes < longestName) {
      ignored_.emplace_back(frame.bytes, '\0');
      child_.receive(ignored_.back().data(), frame.bytes, progress);
    } else {
      child_.fail("the reading process sent an unknown message");
    }
  }
}

void AcquisitionFile::receiveArray(const ChildFrame& frame, const Progress& progress) {
  ArrayFrame head;
  if (frame.bytes < sizeof head) child_.fail("the reading process sent an unknown message");
  child_.receive(&head, sizeof head, progress);
  NamedArray& array = arrays_.emplace_back();
  array.name = head.name.data();
  array.complex = head.complex != 0;
  array.shape.assign(head.shape.begin(), head.shape.begin() + head.axes);
  array.values.resize((frame.bytes - sizeof head) / sizeof(cfloat));
  child_.receive(array.values.data(), array.values.size() * sizeof(cfloat), progress);
}

void AcquisitionFile::read(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                           const std::string& what, const Progress& progress, const Use& use) {
  AcquisitionRequest request;
  request.member = std::uint32_t(member);
  request.count = wanted.size();
  child_.send(&request, sizeof request, progress);
  child_.send(wanted.data(), wanted.size() * sizeof(std::int64_t), progress);
  Buffer<float> values;
  for (std::size_t expected = 0;; ++expected) {
    const ChildFrame frame = child_.next(progress);
    if (frame.kind == ChildMessage::done && expected == wanted.size()) return;
    if (frame.kind != ChildMessage::values || expected >= wanted.size() || frame.position != expected)
      child_.fail("the reading process sent an unknown message");
    const std::int64_t floats = floatsOf(heads_[std::size_t(wanted[expected])], member);
    if (frame.bytes != std::size_t(floats) * sizeof(float))
      child_.fail("acquisition " + std::to_string(wanted[expected]) + " has another length than its header");
    values.resize(std::size_t(floats));
    child_.receive(values.data(), frame.bytes, progress);
    use(expected, values.data());
    progress.report(double(expected + 1) / double(wanted.size()), what);
  }
}

}  // namespace spokelab
