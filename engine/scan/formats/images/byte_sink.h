// Bytes to a file, plain or gzip-compressed; every write is checked. Errors name the file the user
// asked for, not the temporary one, and say whether the disk is full.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

namespace spokelab {

class ByteSink {
 public:
  // Writes to `file`; messages speak of `target`.
  ByteSink(const std::filesystem::path& file, std::filesystem::path target, bool gzip);
  ~ByteSink();
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  void write(const void* data, std::size_t bytes);
  void close();  // the last bytes reach the file here, or Error

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::filesystem::path target_;
};

}  // namespace spokelab
