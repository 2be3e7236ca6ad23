#include "engine/scan/formats/acquisitions/acquisition_file.h"

#include <algorithm>
#include <memory>
#include <span>

#include "engine/core/array.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/formats/acquisitions/file_bytes.h"
#include "engine/scan/formats/acquisitions/stored_acquisitions.h"

namespace spokelab {
namespace {

constexpr std::size_t maxNameBytes = 1 << 16;
constexpr std::uint64_t minCpuSeconds = 3;
constexpr std::uint64_t bytesPerCpuSecond = 10u << 20;  // far below the rate of a sound file

// Reading this number of bytes takes far longer than starting a process.
constexpr double minBytesPerProcess = 32e6;
constexpr int maxProcesses = 8;

const char* const copyAgain = "Copy the file again, or write it again with the program that made it";

ChildLimits limitsFor(const std::filesystem::path& file, LinkReach reach, std::uint64_t linkedBytes = 0) {
  return ChildLimits::ofReader(
      minCpuSeconds + (std::filesystem::file_size(file) + linkedBytes) / bytesPerCpuSecond, file,
      reach == LinkReach::anywhere ? ReadReach::anywhere : ReadReach::folder);
}

ChildArguments place(const std::filesystem::path& file, const std::string& group, LinkReach reach) {
  ChildArguments arguments;
  arguments.put(file.string());
  arguments.put(group);
  arguments.put(reach);
  return arguments;
}

}  // namespace

AcquisitionFile::AcquisitionFile(const std::filesystem::path& file, const std::string& group,
                                 const Progress& progress, LinkReach reach)
    : path_(file),
      group_(group),
      reach_(reach),
      reader_("Cannot read " + file.string(), copyAgain, limitsFor(file, reach), serveAcquisitions,
              place(file, group, reach)) {
  ChildProcess& child = reader_.child();
  for (;;) {
    const ChildFrame frame = child.next(progress);
    if (frame.kind == ChildMessage::done) break;
    if (frame.kind == ChildMessage::header) {
      constexpr std::size_t limit = StoredAcquisitions::maxXmlBytes;
      if (frame.bytes > limit) child.fail("its header has more than " + bytesText(double(limit)));
      xml_.resize(frame.bytes);
      child.receive(xml_.data(), xml_.size(), progress);
    } else if (frame.kind == ChildMessage::heads && frame.bytes % sizeof(AcquisitionHead) == 0) {
      const std::size_t known = heads_.size(), more = frame.bytes / sizeof(AcquisitionHead);
      if (known == 0)
        requireMemory(double(frame.position) * sizeof(AcquisitionHead), "Cannot read " + file.string(),
                      "the list of acquisitions", copyAgain);
      heads_.resize(known + more);
      child.receive(heads_.data() + known, frame.bytes, progress);
      progress.report(double(heads_.size()) / double(frame.position), "Reading acquisition headers");
    } else if (frame.kind == ChildMessage::array) {
      receiveArray(frame, progress);
    } else if (frame.kind == ChildMessage::ignored &&
               (frame.position == plainSamples || frame.position == plainCoordinates)) {
      receivePlaces(frame, progress);
    } else if (frame.kind == ChildMessage::ignored && frame.bytes < maxNameBytes) {
      receiveText(frame, progress);
    } else {
      child.fail("the reading process sent an unknown message");
    }
  }
}

void AcquisitionFile::receiveText(const ChildFrame& frame, const Progress& progress) {
  ChildProcess& child = reader_.child();
  if (frame.position == linkedSize) {
    if (frame.bytes != sizeof linkedBytes_) child.fail("the reading process sent an unknown message");
    child.receive(&linkedBytes_, sizeof linkedBytes_, progress);
    return;
  }
  std::vector<std::string>& list = frame.position == linkedElsewhere ? links_
                                   : frame.position == wholeSentence ? remarks_
                                                                     : ignored_;
  list.emplace_back(frame.bytes, '\0');
  child.receive(list.back().data(), frame.bytes, progress);
}

void AcquisitionFile::receivePlaces(const ChildFrame& frame, const Progress& progress) {
  ChildProcess& child = reader_.child();
  if (frame.bytes != (heads_.size() + 1) * sizeof(std::uint64_t))
    child.fail("the reading process sent an unknown message");
  PlainNumbers& plain = frame.position == plainSamples ? plainSamples_ : plainCoordinates_;
  child.receive(&plain.between, sizeof plain.between, progress);
  constexpr std::uint64_t maxBetween = 4096;
  if (plain.between > maxBetween) child.fail("the reading process sent an unknown message");
  plain.offsets.resize(heads_.size());
  child.receive(plain.offsets.data(), frame.bytes - sizeof plain.between, progress);
}

void AcquisitionFile::receiveArray(const ChildFrame& frame, const Progress& progress) {
  ChildProcess& child = reader_.child();
  ArrayFrame head;
  if (frame.bytes < sizeof head) child.fail("the reading process sent an unknown message");
  child.receive(&head, sizeof head, progress);
  NamedArray& array = arrays_.emplace_back();
  array.name = head.name.data();
  array.complex = head.complex != 0;
  array.shape.assign(head.shape.begin(), head.shape.begin() + head.axes);
  array.values.resize((frame.bytes - sizeof head) / sizeof(cfloat));
  child.receive(array.values.data(), array.values.size() * sizeof(cfloat), progress);
}

void AcquisitionFile::read(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                           const std::string& what, const Progress& progress, const Use& use) {
  if (!plain(member).offsets.empty()) return readPlain(member, wanted, what, progress, use);
  double bytes = 0;
  for (const std::int64_t i : wanted)
    bytes += double(floatsOf(heads_[std::size_t(i)], member)) * double(sizeof(float));
  // As many processes as there is work for; trajectories come from one.
  const auto processes = member == AcquisitionMember::data
                             ? std::clamp<std::int64_t>(std::int64_t(bytes / minBytesPerProcess), 1,
                                                        std::min(maxProcesses, hardwareThreads()))
                             : 1;
  const auto requestFor = [&](std::size_t begin, std::size_t end) {
    return AcquisitionReader::Request{member, std::span(wanted).subspan(begin, end - begin), heads_, what,
                                      processes == 1 && member == AcquisitionMember::data};
  };
  // The first process may compute as long as this file alone takes, not as long as linked files do.
  const bool newFirst = linkedBytes_ > 0;
  if (processes == 1 && !newFirst) return reader_.read(requestFor(0, wanted.size()), progress, use);

  ChildArguments arguments = place(path_, group_, reach_);
  arguments.put(heads_);
  std::vector<std::unique_ptr<AcquisitionReader>> others;
  for (std::int64_t p = newFirst ? 0 : 1; p < processes; ++p)
    others.push_back(std::make_unique<AcquisitionReader>("Cannot read " + path_.string(), copyAgain,
                                                         limitsFor(path_, reach_, linkedBytes_),
                                                         serveMoreAcquisitions, arguments));
  parallelTasks(processes, int(processes), [&](std::int64_t p) {
    const std::size_t begin = wanted.size() * std::size_t(p) / std::size_t(processes);
    const std::size_t end = wanted.size() * std::size_t(p + 1) / std::size_t(processes);
    AcquisitionReader& reader = newFirst ? *others[std::size_t(p)]
                                : p == 0 ? reader_
                                         : *others[std::size_t(p - 1)];
    // The first process reports progress for all.
    reader.read(requestFor(begin, end), p == 0 ? progress : Progress(progress.stopToken()),
                [&](std::size_t position, const float* values) { use(begin + position, values); });
  });
}

// Copies each acquisition to its place through a buffer of its thread, which remains in the cache.
void AcquisitionFile::readPlain(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                                const std::string& what, const Progress& progress, const Use& use) const {
  constexpr std::int64_t reports = 64, grain = 16;
  const FileBytes file(path_, copyAgain);
  const PlainNumbers& places = plain(member);
  const auto count = std::int64_t(wanted.size());
  const std::int64_t step = std::max<std::int64_t>(grain, count / reports);
  for (std::int64_t first = 0; first < count; first += step) {
    parallelFor(std::min(step, count - first), 0, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<char> bytes;
      for (std::int64_t i = first + begin; i < first + end; ++i) {
        progress.checkpoint();
        const auto acquisition = std::size_t(wanted[std::size_t(i)]);
        const AcquisitionHead& head = heads_[acquisition];
        const std::size_t pieces = member == AcquisitionMember::data ? head.active_channels : 1;
        const std::size_t piece =
            pieces == 0 ? 0 : std::size_t(floatsOf(head, member)) * sizeof(float) / pieces;
        bytes.resize(FileBytes::bytesOfPieces(pieces, piece, places.between));
        file.readPieces(places.offsets[acquisition], pieces, piece, places.between, bytes);
        use(std::size_t(i), reinterpret_cast<const float*>(bytes.data()));
      }
    });
    progress.report(double(std::min(count, first + step)) / double(count), what);
  }
}

}  // namespace spokelab
