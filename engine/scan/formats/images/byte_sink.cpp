#include "engine/scan/formats/images/byte_sink.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>

#include "engine/core/output/write_error.h"

namespace spokelab {
namespace {

// Measured data hardly compress further.
constexpr int compressionLevel = 1;
constexpr std::size_t maxBytesAtOnce = std::size_t(1) << 30;  // of one gzwrite or write

[[noreturn]] void fail(const std::filesystem::path& target, int code) {
  throw writeError(target, code);
}

}  // namespace

struct ByteSink::State {
  int fd = -1;
  gzFile gz = nullptr;

  ~State() {
    if (gz)
      gzclose(gz);
    else if (fd >= 0)
      ::close(fd);
  }
};

ByteSink::ByteSink(const std::filesystem::path& file, std::filesystem::path target, bool gzip)
    : state_(std::make_unique<State>()), target_(std::move(target)) {
  state_->fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (state_->fd < 0) fail(target_, errno);
  if (!gzip) return;
  state_->gz = gzdopen(state_->fd, "wb");
  if (!state_->gz) fail(target_, ENOMEM);
  gzsetparams(state_->gz, compressionLevel, Z_DEFAULT_STRATEGY);
}

ByteSink::~ByteSink() = default;

void ByteSink::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, maxBytesAtOnce);
    errno = 0;
    if (state_->gz) {
      if (gzwrite(state_->gz, next, unsigned(part)) != int(part)) fail(target_, errno);
      next += part;
      bytes -= part;
      continue;
    }
    const ssize_t written = ::write(state_->fd, next, part);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(target_, written == 0 ? ENOSPC : errno);
    next += written;
    bytes -= std::size_t(written);
  }
}

void ByteSink::close() {
  errno = 0;
  if (state_->gz) {
    const int result = gzclose(state_->gz);
    state_->gz = nullptr;
    state_->fd = -1;
    if (result != Z_OK) fail(target_, errno);
  } else if (::close(state_->fd) != 0) {
    state_->fd = -1;
    fail(target_, errno);
  }
  state_->fd = -1;
}

}  // namespace spokelab
