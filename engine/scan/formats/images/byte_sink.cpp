#include "engine/scan/formats/images/byte_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "engine/core/output/write_error.h"
#include "engine/scan/formats/images/gzip_blocks.h"

namespace spokelab {
namespace {

constexpr std::size_t maxBytesAtOnce = std::size_t(1) << 30;  // of one write

[[noreturn]] void fail(const std::filesystem::path& target, int code) {
  throw writeError(target, code);
}

void writeAll(int fd, const std::filesystem::path& target, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, next, std::min(bytes, maxBytesAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(target, written == 0 ? ENOSPC : errno);
    next += written;
    bytes -= std::size_t(written);
  }
}

}  // namespace

struct ByteSink::State {
  int fd = -1;
  std::optional<GzipBlocks> gzip;

  ~State() {
    if (fd >= 0) ::close(fd);
  }
};

ByteSink::ByteSink(const std::filesystem::path& file, std::filesystem::path target, bool gzip)
    : state_(std::make_unique<State>()), target_(std::move(target)) {
  state_->fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (state_->fd < 0) fail(target_, errno);
  if (gzip)
    state_->gzip.emplace(
        [this](const void* data, std::size_t bytes) { writeAll(state_->fd, target_, data, bytes); });
}

ByteSink::~ByteSink() = default;

void ByteSink::write(const void* data, std::size_t bytes) {
  if (state_->gzip)
    state_->gzip->add(static_cast<const char*>(data), bytes);
  else
    writeAll(state_->fd, target_, data, bytes);
}

void ByteSink::close() {
  if (state_->gzip) state_->gzip->finish();
  if (::close(std::exchange(state_->fd, -1)) != 0) fail(target_, errno);
}

}  // namespace spokelab
