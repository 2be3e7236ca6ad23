#include "engine/core/atomic_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace spokelab {

namespace {

constexpr int uniqueNameAttempts = 100;

std::string systemReason(int code) {
  return std::strerror(code);
}

std::string remedyFor(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "Free some space or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Choose a folder you may write to";
    case ENOENT:
    case ENOTDIR:
      return "Create the folder first, or correct the path";
    case EISDIR:
      return "Give the name of a file";
    default:
      return "Choose another path";
  }
}

[[noreturn]] void throwWriteError(const std::filesystem::path& target, int code) {
  throw Error("Cannot write " + target.string(), systemReason(code), remedyFor(code));
}

[[noreturn]] void throwReadError(const std::filesystem::path& path, int code) {
  throw Error("Cannot read " + path.string(), systemReason(code), "Check the path and its permissions");
}

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

std::filesystem::path folderOf(const std::filesystem::path& file) {
  const std::filesystem::path parent = file.parent_path();
  return parent.empty() ? std::filesystem::path(".") : parent;
}

// "name" and ".ext" of a file; ".nii.gz" counts as one extension.
std::pair<std::string, std::string> nameParts(const std::filesystem::path& file) {
  std::filesystem::path stem = file.filename();
  std::string extension;
  while (stem.has_extension() && stem.stem() != stem) {
    extension.insert(0, stem.extension().string());
    stem = stem.stem();
    if (extension != ".gz") break;
  }
  return {stem.string(), extension};
}

std::string hidden(const std::string& name) {
  return (name.starts_with('.') ? "" : ".") + name;
}

// ".name-<process>-<count>.ext" beside the target.
std::filesystem::path candidateName(const std::filesystem::path& target) {
  static std::atomic<unsigned> count{0};
  const auto [name, extension] = nameParts(target);
  const std::string unique = std::to_string(::getpid()) + "-" + std::to_string(count++);
  return folderOf(target) / (hidden(name) + "-" + unique + extension);
}

// The process in such a name, 0 where it is another name.
long writerOf(const std::filesystem::path& temporary, const std::filesystem::path& target) {
  const auto [name, extension] = nameParts(temporary);
  const auto second = name.rfind('-');
  const auto first = second == std::string::npos || second == 0 ? second : name.rfind('-', second - 1);
  if (!name.starts_with('.') || first == std::string::npos || first < 2) return 0;
  if (name.find_first_not_of("0123456789", first + 1) != second ||
      name.find_first_not_of("0123456789", second + 1) != std::string::npos || second + 1 == name.size())
    return 0;
  if (!target.empty()) {
    const auto [targetName, targetExtension] = nameParts(target);
    if (name.substr(0, first) != hidden(targetName) || extension != targetExtension) return 0;
  }
  return std::strtol(name.c_str() + first + 1, nullptr, 10);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  std::error_code ignored;
  if (target_.filename().empty() || std::filesystem::is_directory(target_, ignored))
    throwWriteError(target_, EISDIR);
  for (int attempt = 0; attempt < uniqueNameAttempts; ++attempt) {
    temporary_ = candidateName(target_);
    Descriptor file(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() >= 0) return;
    if (errno != EEXIST) throwWriteError(target_, errno);
  }
  throwWriteError(target_, EEXIST);
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::commit() {
  {
    Descriptor file(::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throwWriteError(target_, errno);
    if (::fsync(file.get()) != 0) throwWriteError(target_, errno);
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throwWriteError(target_, errno);
  committed_ = true;
  // The rename itself reaches the disk with the folder; a file system that cannot do this is no
  // failure.
  Descriptor folder(::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
}

void writeFileAtomically(const std::filesystem::path& target, std::string_view content) {
  AtomicFile file(target);
  Descriptor out(::open(file.path().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (out.get() < 0) throwWriteError(target, errno);
  while (!content.empty()) {
    const ssize_t written = ::write(out.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throwWriteError(target, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (out.close() != 0) throwWriteError(target, errno);
  file.commit();
}

std::string readFile(const std::filesystem::path& path) {
  Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) throwReadError(path, errno);
  struct stat status {};
  if (::fstat(in.get(), &status) != 0) throwReadError(path, errno);
  if (S_ISDIR(status.st_mode)) throwReadError(path, EISDIR);
  std::string content;
  constexpr std::size_t blockSize = std::size_t{1} << 16;
  content.reserve(static_cast<std::size_t>(status.st_size > 0 ? status.st_size : 0));
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + blockSize);
    const ssize_t got = ::read(in.get(), content.data() + before, blockSize);
    if (got < 0 && errno == EINTR) {
      content.resize(before);
      continue;
    }
    if (got < 0) throwReadError(path, errno);
    content.resize(before + static_cast<std::size_t>(got));
    if (got == 0) return content;
  }
}

void removeAbandoned(const std::filesystem::path& folder, const std::filesystem::path& target) {
  std::error_code failed;
  std::vector<std::filesystem::path> left;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const long process = writerOf(entry->path(), target);
    if (process > 0 && ::kill(pid_t(process), 0) != 0 && errno == ESRCH) left.push_back(entry->path());
  }
  for (const std::filesystem::path& file : left) std::filesystem::remove(file, failed);
}

}  // namespace spokelab
