#include "engine/scan/formats/acquisitions/file_bytes.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace spokelab {

FileBytes::FileBytes(std::filesystem::path file, std::string remedy)
    : path_(std::move(file)), remedy_(std::move(remedy)), file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) fail(std::strerror(errno));
  std::error_code failed;
  size_ = std::filesystem::file_size(path_, failed);
  if (failed) size_ = 0;
}

FileBytes::~FileBytes() {
  if (file_ >= 0) ::close(file_);
}

void FileBytes::fail(const std::string& reason) const {
  throw Error("Cannot read " + path_.string(), reason, remedy_);
}

void FileBytes::read(std::uint64_t at, std::span<char> out) const {
  const std::array<std::span<char>, 1> one{out};
  readVector(at, one);
}

void FileBytes::readVector(std::uint64_t at, std::span<const std::span<char>> pieces) const {
  constexpr std::size_t maxPieces = 1024;  // of one call (IOV_MAX)
  std::array<iovec, maxPieces> parts;
  std::size_t next = 0, done = 0;  // piece, and bytes of it that were read
  while (next < pieces.size()) {
    const std::size_t count = std::min(maxPieces, pieces.size() - next);
    for (std::size_t i = 0; i < count; ++i) parts[i] = {pieces[next + i].data(), pieces[next + i].size()};
    parts[0] = {pieces[next].data() + done, pieces[next].size() - done};
    const ssize_t got = ::preadv(file_, parts.data(), int(count), off_t(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::strerror(errno));
    std::size_t left = std::size_t(got);
    at += left;
    const std::size_t before = next;
    while (next < pieces.size() && left >= pieces[next].size() - done) {
      left -= pieces[next].size() - done;
      done = 0;
      ++next;
    }
    done += left;
    if (got == 0 && next == before) fail("it ends before the samples that it promises");
  }
}

// One call fetches many pieces: the bytes between them are read into a scrap buffer.
void FileBytes::readPieces(std::uint64_t at, std::size_t count, std::size_t pieceBytes, std::size_t between,
                           char* out) const {
  std::vector<char> scrap(between);
  std::vector<std::span<char>> pieces;
  pieces.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) pieces.emplace_back(scrap);
    pieces.emplace_back(out + i * pieceBytes, pieceBytes);
  }
  readVector(at, pieces);
}

}  // namespace spokelab
