#include "engine/scan/formats/acquisitions/acquisition_worker.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/stored_acquisitions.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {
namespace {

constexpr std::int64_t headsAtOnce = 4096;
constexpr std::int64_t floatsAtOnce = 1 << 20;  // 4 MB: a few ms
// So many acquisitions that their padding fits a slot beside 4 MB of values.
constexpr std::size_t maxAcquisitionsAtOnce = 1 << 15;
static_assert(floatsAtOnce * sizeof(float) + (maxAcquisitionsAtOnce + 1) * sizeof(std::max_align_t) <=
              SharedSlots::bytes);

std::vector<AcquisitionHead> sendHeads(FrameSender& sender, const StoredAcquisitions& source) {
  std::vector<AcquisitionHead> all;
  for (std::int64_t begin = 0; begin < source.count(); begin += headsAtOnce) {
    std::vector<AcquisitionHead> part(std::size_t(std::min(headsAtOnce, source.count() - begin)));
    source.readHeads(begin, part);
    sender.send(ChildMessage::heads, std::uint64_t(source.count()), part.data(),
                part.size() * sizeof(AcquisitionHead));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void sendPlaces(FrameSender& sender, const StoredAcquisitions& source, AcquisitionMember member,
                const std::vector<AcquisitionHead>& heads) {
  const auto plain = source.plainNumbers(member, heads);
  if (!plain) return;
  std::vector<std::uint64_t> places{plain->between};
  places.insert(places.end(), plain->offsets.begin(), plain->offsets.end());
  sender.send(ChildMessage::ignored, member == AcquisitionMember::data ? plainSamples : plainCoordinates,
              places.data(), places.size() * sizeof places.front());
}

void sendArrays(FrameSender& sender, const StoredAcquisitions& source) {
  for (const std::string& text : source.ignored())
    sender.send(ChildMessage::ignored, 0, text.data(), text.size());
  for (const std::string& text : source.links())
    sender.send(ChildMessage::ignored, linkedElsewhere, text.data(), text.size());
  if (const std::uint64_t bytes = source.linkedBytes())
    sender.send(ChildMessage::ignored, linkedSize, &bytes, sizeof bytes);
  for (const std::string& text : source.remarks())
    sender.send(ChildMessage::ignored, wholeSentence, text.data(), text.size());
  for (const std::string& name : source.arrayNames()) {
    std::vector<char> bytes;
    source.readArray(name, bytes);
    sender.send(ChildMessage::array, 0, bytes.data(), bytes.size());
  }
}

// Slots that the parent has not given back yet; they come back in order.
class SlotsInUse {
 public:
  explicit SlotsInUse(int socket) : socket_(socket) {}
  std::uint32_t take() {
    if (usedSlots_ == SharedSlots::count) giveBack();
    ++usedSlots_;
    return next_++ % SharedSlots::count;
  }
  void giveBackAll() {
    while (usedSlots_ > 0) giveBack();
  }

 private:
  void giveBack() {
    std::uint32_t slot = 0;
    ChildProcess::receiveBytes(socket_, &slot, sizeof slot);
    --usedSlots_;
  }

  int socket_;
  std::uint32_t usedSlots_ = 0, next_ = 0;
};

struct Run {
  AcquisitionMember member;
  std::size_t position;  // in the request
  std::int64_t first;
  std::vector<AcquisitionHead> heads;
};

void sendRun(FrameSender& sender, const StoredAcquisitions& source, const Run& run, const SharedSlots& slots,
             SlotsInUse& inUse) {
  if (StoredAcquisitions::roomFor(run.member, run.heads) > SharedSlots::bytes) {
    source.read(run.member, run.first, run.heads, {}, [&](std::size_t i, const float* values) {
      sender.send(ChildMessage::values, run.position + i, values,
                  std::size_t(floatsOf(run.heads[i], run.member)) * sizeof(float));
    });
    return;
  }
  const std::uint32_t slot = inUse.take();
  const std::span<char> place = slots.slot(slot);
  std::vector<char> message(sizeof(SharedFrame) + run.heads.size() * sizeof(std::uint64_t));
  const SharedFrame head{slot, run.heads.size()};
  std::memcpy(message.data(), &head, sizeof head);
  source.read(run.member, run.first, run.heads, place, [&](std::size_t i, const float* values) {
    const auto offset = values ? std::uint64_t(reinterpret_cast<const char*>(values) - place.data()) : 0;
    std::memcpy(message.data() + sizeof head + i * sizeof offset, &offset, sizeof offset);
  });
  sender.send(ChildMessage::shared, run.position, message.data(), message.size());
  sender.flush();
}

void answer(int socket, FrameSender& sender, const StoredAcquisitions& source,
            const std::vector<AcquisitionHead>& heads, const SharedSlots& slots) {
  AcquisitionRequest request;
  ChildProcess::receiveBytes(socket, &request, sizeof request);
  std::vector<std::int64_t> wanted(request.count);
  ChildProcess::receiveBytes(socket, wanted.data(), wanted.size() * sizeof(std::int64_t));
  const auto member = AcquisitionMember(request.member);
  SlotsInUse inUse(socket);
  for (std::size_t start = 0; start < wanted.size();) {
    // a run of neighbours, as long as its values fit the range
    std::size_t end = start + 1;
    std::int64_t floats = floatsOf(heads[std::size_t(wanted[start])], member);
    while (end < wanted.size() && wanted[end] == wanted[end - 1] + 1) {
      floats += floatsOf(heads[std::size_t(wanted[end])], member);
      if (floats > floatsAtOnce || end - start >= maxAcquisitionsAtOnce) break;
      ++end;
    }
    const auto first = heads.begin() + wanted[start];
    sendRun(sender, source, {member, start, wanted[start], {first, first + std::ptrdiff_t(end - start)}},
            slots, inUse);
    start = end;
  }
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
  inUse.giveBackAll();
}

}  // namespace

SharedSlots::SharedSlots() : file_(::memfd_create("spokelab", MFD_CLOEXEC)) {
  if (file_ >= 0 && ::ftruncate(file_, count * bytes) != 0) {
    const int code = errno;
    ::close(file_);
    file_ = -1;
    if (code == EFBIG)  // memory that two processes share counts as a file
      throw Error("Cannot read in a separate process",
                  "files may have less than " + bytesText(double(count * bytes)) + " here (ulimit -f)",
                  "Raise that limit: ulimit -f unlimited");
    errno = code;
  }
  map();
}

SharedSlots::SharedSlots(int file) : file_(file) {
  map();
}

void SharedSlots::map() {
  void* memory =
      file_ < 0 ? MAP_FAILED : ::mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    const int code = errno;
    if (file_ >= 0) ::close(file_);
    throw Error("Cannot read in a separate process", std::strerror(code),
                "Close other programs and try again");
  }
  memory_ = static_cast<char*>(memory);
}

SharedSlots::~SharedSlots() {
  ::munmap(memory_, count * bytes);
  ::close(file_);
}

void serveAcquisitions(ChildArguments& arguments, int socket, int shared) {
  const Hdf5Lock lock;
  const SharedSlots slots(shared);
  std::string file, group;
  arguments.take(file);
  arguments.take(group);
  LinkReach reach{};
  arguments.take(reach);
  const std::unique_ptr<StoredAcquisitions> opened = openAcquisitions(file, group, reach);
  const StoredAcquisitions& source = *opened;
  FrameSender sender(socket);
  sender.send(ChildMessage::header, 0, source.xml().data(), source.xml().size());
  const std::vector<AcquisitionHead> heads = sendHeads(sender, source);
  source.checkLengths(heads);
  sendArrays(sender, source);
  for (const auto member : {AcquisitionMember::trajectory, AcquisitionMember::data})
    sendPlaces(sender, source, member, heads);
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
  for (;;) answer(socket, sender, source, heads, slots);
}

void serveMoreAcquisitions(ChildArguments& arguments, int socket, int shared) {
  const Hdf5Lock lock;
  const SharedSlots slots(shared);
  std::string file, group;
  std::vector<AcquisitionHead> heads;
  arguments.take(file);
  arguments.take(group);
  LinkReach reach{};
  arguments.take(reach);
  arguments.take(heads);
  const std::unique_ptr<StoredAcquisitions> opened = openAcquisitions(file, group, reach);
  const StoredAcquisitions& source = *opened;
  FrameSender sender(socket);
  for (;;) answer(socket, sender, source, heads, slots);
}

}  // namespace spokelab
