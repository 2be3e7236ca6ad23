#include "engine/scan/acquisition_file.h"

#include "engine/core/array.h"
#include "engine/core/thread_pool.h"
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
             [&](int socket) { serveAcquisitions(socket, file, group, slots_); }) {
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
  std::size_t expected = 0;
  for (;;) {
    const ChildFrame frame = child_.next(progress);
    if (frame.kind == ChildMessage::done && expected == wanted.size()) return;
    if (frame.position != expected || expected >= wanted.size())
      child_.fail("the reading process sent an unknown message");
    if (frame.kind == ChildMessage::shared) {
      receiveShared(frame, member, wanted, expected, progress, use);
    } else if (frame.kind == ChildMessage::values) {
      const std::int64_t floats = floatsOf(heads_[std::size_t(wanted[expected])], member);
      if (frame.bytes != std::size_t(floats) * sizeof(float))
        child_.fail("acquisition " + std::to_string(wanted[expected]) +
                    " has another length than its header");
      values.resize(std::size_t(floats));
      child_.receive(values.data(), frame.bytes, progress);
      use(expected++, values.data());
    } else {
      child_.fail("the reading process sent an unknown message");
    }
    progress.report(double(expected) / double(wanted.size()), what);
  }
}

// A run of acquisitions that lie in a slot; it is given back afterwards.
void AcquisitionFile::receiveShared(const ChildFrame& frame, AcquisitionMember member,
                                    const std::vector<std::int64_t>& wanted, std::size_t& expected,
                                    const Progress& progress, const Use& use) {
  SharedFrame run;
  if (frame.bytes < sizeof run) child_.fail("the reading process sent an unknown message");
  child_.receive(&run, sizeof run, progress);
  if (run.slot >= SharedSlots::count || run.count > wanted.size() - expected ||
      frame.bytes != sizeof run + run.count * sizeof(std::uint64_t))
    child_.fail("the reading process sent an unknown message");
  std::vector<std::uint64_t> offsets(run.count);
  child_.receive(offsets.data(), offsets.size() * sizeof(std::uint64_t), progress);
  const std::span<char> slot = slots_.slot(run.slot);
  std::vector<const float*> values;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto bytes =
        std::size_t(floatsOf(heads_[std::size_t(wanted[expected + i])], member)) * sizeof(float);
    if (offsets[i] % alignof(float) != 0 || bytes > slot.size() || offsets[i] > slot.size() - bytes)
      child_.fail("the reading process sent an unknown message");
    values.push_back(reinterpret_cast<const float*>(slot.data() + offsets[i]));
  }
  const auto hand = [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) use(expected + i, values[i]);
  };
  constexpr std::int64_t grain = 8;
  if (member == AcquisitionMember::data)
    parallelFor(std::int64_t(values.size()), 0, grain, hand);
  else
    hand(0, std::int64_t(values.size()));
  expected += values.size();
  child_.send(&run.slot, sizeof run.slot, progress);
}

}  // namespace spokelab
