// An open file that is read at places, by several threads at once. Nothing is parsed here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace spokelab {

class FileBytes {
 public:
  // `remedy` ends the Errors of this class. Throws Error.
  FileBytes(std::filesystem::path file, std::string remedy);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  // Fills `out`; throws Error where the file ends before it.
  void read(std::uint64_t at, std::span<char> out) const;
  // `count` pieces of `pieceBytes` that lie `between` bytes apart, the first one at `at`, one after
  // the other into `out`.
  void readPieces(std::uint64_t at, std::size_t count, std::size_t pieceBytes, std::size_t between,
                  char* out) const;
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  void readVector(std::uint64_t at, std::span<const std::span<char>> pieces) const;

  std::filesystem::path path_;
  std::string remedy_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace spokelab
