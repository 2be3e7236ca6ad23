#include "engine/scan/formats/acquisitions/acquisition_reader.h"

#include "engine/core/array.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

const char* const unknownMessage = "the reading process sent an unknown message";

}  // namespace

AcquisitionReader::AcquisitionReader(std::string summary, std::string remedy, const ChildLimits& limits,
                                     ChildProcess::Work work, const ChildArguments& arguments)
    : child_(std::move(summary), std::move(remedy), limits, work, arguments, slots_.file()) {
}

void AcquisitionReader::read(const Request& request, const Progress& progress,
                             const AcquisitionSource::Use& use) {
  const std::span<const std::int64_t> wanted = request.wanted;
  AcquisitionRequest head;
  head.member = std::uint32_t(request.member);
  head.count = wanted.size();
  child_.send(&head, sizeof head, progress);
  child_.send(wanted.data(), wanted.size() * sizeof(std::int64_t), progress);
  Buffer<float> values;
  std::size_t expected = 0;
  for (;;) {
    const ChildFrame frame = child_.next(progress);
    if (frame.kind == ChildMessage::done && expected == wanted.size()) return;
    if (frame.position != expected || expected >= wanted.size()) child_.fail(unknownMessage);
    if (frame.kind == ChildMessage::shared) {
      receiveShared(frame, request, expected, progress, use);
    } else if (frame.kind == ChildMessage::values) {
      const std::int64_t floats = floatsOf(request.heads[std::size_t(wanted[expected])], request.member);
      if (frame.bytes != std::size_t(floats) * sizeof(float))
        child_.fail("acquisition " + std::to_string(wanted[expected]) +
                    " has another length than its header");
      values.resize(std::size_t(floats));
      child_.receive(values.data(), frame.bytes, progress);
      use(expected++, values.data());
    } else {
      child_.fail(unknownMessage);
    }
    progress.report(double(expected) / double(wanted.size()), request.what);
  }
}

// A run of acquisitions that lie in a slot; it is given back afterwards.
void AcquisitionReader::receiveShared(const ChildFrame& frame, const Request& request, std::size_t& expected,
                                      const Progress& progress, const AcquisitionSource::Use& use) {
  SharedFrame run;
  if (frame.bytes < sizeof run) child_.fail(unknownMessage);
  child_.receive(&run, sizeof run, progress);
  if (run.slot >= SharedSlots::count || run.count > request.wanted.size() - expected ||
      frame.bytes != sizeof run + run.count * sizeof(std::uint64_t))
    child_.fail(unknownMessage);
  std::vector<std::uint64_t> offsets(run.count);
  child_.receive(offsets.data(), offsets.size() * sizeof(std::uint64_t), progress);
  const std::span<char> slot = slots_.slot(run.slot);
  std::vector<const float*> values;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const AcquisitionHead& head = request.heads[std::size_t(request.wanted[expected + i])];
    const auto bytes = std::size_t(floatsOf(head, request.member)) * sizeof(float);
    if (offsets[i] % alignof(float) != 0 || bytes > slot.size() || offsets[i] > slot.size() - bytes)
      child_.fail(unknownMessage);
    values.push_back(reinterpret_cast<const float*>(slot.data() + offsets[i]));
  }
  const auto hand = [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) use(expected + i, values[i]);
  };
  constexpr std::int64_t grain = 8;
  if (request.byAll)
    parallelFor(std::int64_t(values.size()), 0, grain, hand);
  else
    hand(0, std::int64_t(values.size()));
  expected += values.size();
  child_.send(&run.slot, sizeof run.slot, progress);
}

}  // namespace spokelab
