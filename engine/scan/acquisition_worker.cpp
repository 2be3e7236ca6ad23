#include "engine/scan/acquisition_worker.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "engine/core/error.h"
#include "engine/scan/hdf5_acquisitions.h"

namespace spokelab {
namespace {

constexpr std::int64_t headsAtOnce = 4096;
constexpr std::int64_t floatsAtOnce = 1 << 20;  // 4 MB: a few ms

struct SocketClosed {};

void sendBytes(int socket, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, next, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw SocketClosed{};
    next += sent;
    bytes -= std::size_t(sent);
  }
}

void receiveBytes(int socket, void* data, std::size_t bytes) {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::recv(socket, next, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw SocketClosed{};
    next += got;
    bytes -= std::size_t(got);
  }
}

void sendFrame(int socket, WorkerMessage kind, std::uint64_t position, const void* data, std::size_t bytes) {
  WorkerFrame frame;
  frame.kind = kind;
  frame.position = position;
  frame.bytes = bytes;
  sendBytes(socket, &frame, sizeof frame);
  sendBytes(socket, data, bytes);
}

void sendError(int socket, const std::string& summary, const std::string& reason, const std::string& remedy) {
  const std::string text = summary + workerTextSeparator + reason + workerTextSeparator + remedy;
  sendFrame(socket, WorkerMessage::error, 0, text.data(), text.size());
}

std::vector<AcquisitionHead> sendHeads(int socket, const Hdf5Acquisitions& source) {
  std::vector<AcquisitionHead> all;
  for (std::int64_t begin = 0; begin < source.count(); begin += headsAtOnce) {
    std::vector<AcquisitionHead> part(std::size_t(std::min(headsAtOnce, source.count() - begin)));
    source.readHeads(begin, part);
    sendFrame(socket, WorkerMessage::heads, std::uint64_t(source.count()), part.data(),
              part.size() * sizeof(AcquisitionHead));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void answer(int socket, const Hdf5Acquisitions& source, const std::vector<AcquisitionHead>& heads) {
  WorkerRequest request;
  receiveBytes(socket, &request, sizeof request);
  std::vector<std::int64_t> wanted(request.count);
  receiveBytes(socket, wanted.data(), wanted.size() * sizeof(std::int64_t));
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
      sendFrame(socket, WorkerMessage::values, start + i, values,
                std::size_t(floatsOf(part[i], member)) * sizeof(float));
    });
    start = end;
  }
  sendFrame(socket, WorkerMessage::done, 0, nullptr, 0);
}

}  // namespace

void serveAcquisitions(int socket, const std::filesystem::path& file, const std::string& group) {
  const std::string summary = "Cannot read " + file.string();
  const char* const tooLarge = "there is not enough memory for it";
  try {
    try {
      const Hdf5Acquisitions source(file, group);
      sendFrame(socket, WorkerMessage::xml, 0, source.xml().data(), source.xml().size());
      const std::vector<AcquisitionHead> heads = sendHeads(socket, source);
      source.checkLengths(heads);
      sendFrame(socket, WorkerMessage::done, 0, nullptr, 0);
      for (;;) answer(socket, source, heads);
    } catch (const Error& e) {
      sendError(socket, e.summary(), e.reason(), e.remedy());
    } catch (const std::bad_alloc&) {
      sendError(socket, summary, tooLarge, "Read it on a machine with more memory");
    } catch (const std::exception& e) {
      sendError(socket, summary, e.what(), "");
    }
  } catch (const SocketClosed&) {
    return;  // the other side has what it wanted
  }
}

}  // namespace spokelab
