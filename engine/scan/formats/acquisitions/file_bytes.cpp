#include "engine/scan/formats/acquisitions/file_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

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
  while (!out.empty()) {
    const ssize_t got = ::pread(file_, out.data(), out.size(), off_t(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::strerror(errno));
    if (got == 0) fail("it ends before the samples that it promises");
    at += std::uint64_t(got);
    out = out.subspan(std::size_t(got));
  }
}

// Reads once and then moves the pieces: a read into many small pieces costs the kernel far more.
void FileBytes::readPieces(std::uint64_t at, std::size_t count, std::size_t pieceBytes, std::size_t between,
                           std::span<char> out) const {
  read(at, out.first(bytesOfPieces(count, pieceBytes, between)));
  if (between == 0) return;
  for (std::size_t i = 1; i < count; ++i)
    std::memmove(out.data() + i * pieceBytes, out.data() + i * (pieceBytes + between), pieceBytes);
}

}  // namespace spokelab
