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
  // Reads `count` pieces of `pieceBytes`, the first one at `at`, with gaps of `between` bytes from
  // the end of a piece to the next. `out` has room for bytesOfPieces(), gaps included; afterwards
  // it begins with the pieces, without the gaps.
  void readPieces(std::uint64_t at, std::size_t count, std::size_t pieceBytes, std::size_t between,
                  std::span<char> out) const;
  static std::size_t bytesOfPieces(std::size_t count, std::size_t pieceBytes, std::size_t between) {
    return count == 0 ? 0 : count * (pieceBytes + between) - between;
  }
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::filesystem::path path_;
  std::string remedy_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace spokelab
