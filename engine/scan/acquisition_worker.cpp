#include "engine/scan/acquisition_worker.h"

#include <algorithm>
#include <vector>

#include "engine/scan/child_process.h"
#include "engine/scan/hdf5_acquisitions.h"

namespace spokelab {
namespace {

constexpr std::int64_t headsAtOnce = 4096;
constexpr std::int64_t floatsAtOnce = 1 << 20;  // 4 MB: a few ms

std::vector<AcquisitionHead> sendHeads(FrameSender& sender, const Hdf5Acquisitions& source) {
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

void sendArrays(FrameSender& sender, const Hdf5Acquisitions& source) {
  for (const std::string& text : source.ignored())
    sender.send(ChildMessage::ignored, 0, text.data(), text.size());
  for (const std::string& name : source.arrayNames()) {
    std::vector<char> bytes;
    source.readArray(name, bytes);
    sender.send(ChildMessage::array, 0, bytes.data(), bytes.size());
  }
}

void answer(int socket, FrameSender& sender, const Hdf5Acquisitions& source,
            const std::vector<AcquisitionHead>& heads) {
  AcquisitionRequest request;
  ChildProcess::receiveBytes(socket, &request, sizeof request);
  std::vector<std::int64_t> wanted(request.count);
  ChildProcess::receiveBytes(socket, wanted.data(), wanted.size() * sizeof(std::int64_t));
  const auto member = AcquisitionMember(request.member);
  for (std::size_t start = 0; start < wanted.size();) {
    // a run of neighbours, as long as its values fit the range
    std::size_t end = start + 1;
    std::int64_t floats = floatsOf(heads[std::size_t(wanted[start])], member);
    while (end < wanted.size() && wanted[end] == wanted[end - 1] + 1) {
      floats += floatsOf(heads[std::size_t(wanted[end])], member);
      if (floats > floatsAtOnce) break;
      ++end;
    }
    const auto first = heads.begin() + wanted[start];
    const std::vector<AcquisitionHead> part(first, first + std::ptrdiff_t(end - start));
    source.read(member, wanted[start], part, [&](std::size_t i, const float* values) {
      sender.send(ChildMessage::values, start + i, values,
                  std::size_t(floatsOf(part[i], member)) * sizeof(float));
    });
    start = end;
  }
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

}  // namespace

void serveAcquisitions(int socket, const std::filesystem::path& file, const std::string& group) {
  const Hdf5Acquisitions source(file, group);
  FrameSender sender(socket);
  sender.send(ChildMessage::xml, 0, source.xml().data(), source.xml().size());
  const std::vector<AcquisitionHead> heads = sendHeads(sender, source);
  source.checkLengths(heads);
  sendArrays(sender, source);
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
  for (;;) answer(socket, sender, source, heads);
}

}  // namespace spokelab
