#include "engine/core/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/output/temporary_name.h"
#include "engine/core/output/write_error.h"

namespace spokelab {

namespace {

constexpr int uniqueNameAttempts = 100;

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target, OutputKind kind, FileReaders readers)
    : target_(writeTarget(target)), kind_(kind) {
  requireTarget(target, kind);
  std::error_code failed;
  const std::filesystem::path folder =
      target_.isStream ? std::filesystem::temp_directory_path(failed) : folderOf(target_.place);
  removeAbandoned(folder);
  for (int attempt = 0; attempt < uniqueNameAttempts; ++attempt) {
    temporary_ = temporaryName(folder, target_.place.filename());
    Descriptor file(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           readers == FileReaders::owner ? 0600 : 0666));
    if (file.get() >= 0) return;
    if (errno != EEXIST) throw writeError(target, errno);
  }
  throw writeError(target, EEXIST);
}

AtomicFile::AtomicFile(const std::filesystem::path& target, OutputKind kind)
    : AtomicFile(target, kind, FileReaders::everyone) {
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::commit(const Progress& progress) {
  const std::filesystem::path& place = target_.place;
  if (target_.isStream) return copyToStream(target_, temporary_, progress);
  requireReplaceable(place, kind_);  // it may have been read, or copied there, since
  {
    Descriptor file(::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw writeError(target_.name, errno);
    if (::fsync(file.get()) != 0) throw writeError(target_.name, errno);
  }
  if (::rename(temporary_.c_str(), place.c_str()) != 0) throw writeError(target_.name, errno);
  committed_ = true;
  // Writing the folder to disk makes the rename permanent; a refusal does not fail the job.
  Descriptor folder(::open(folderOf(place).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
}

void writeFileAtomically(const std::filesystem::path& target, std::string_view content,
                         const Progress& progress, OutputKind kind, FileReaders readers) {
  if (const WriteTarget stream = writeTarget(target); stream.isStream)
    return writeToStream(stream, content, progress);
  AtomicFile file(target, kind, readers);
  Descriptor out(::open(file.path().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (out.get() < 0) throw writeError(target, errno);
  while (!content.empty()) {
    const ssize_t written = ::write(out.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw writeError(target, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (out.close() != 0) throw writeError(target, errno);
  file.commit();
}

void writeFileAtomically(const std::filesystem::path& target, std::string_view content,
                         const Progress& progress) {
  writeFileAtomically(target, content, progress, OutputKind::result, FileReaders::everyone);
}

void writeKeptFile(const std::filesystem::path& target, std::string_view content) {
  writeFileAtomically(target, content, {}, OutputKind::state, FileReaders::owner);
}

}  // namespace spokelab
