// Arrays of files that a separate process unpacks: its limits, its arguments, and the bytes that it
// sends from an array's begin to its end, in `values` messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/core/child/child_process.h"
#include "engine/scan/formats/arrays/array_bytes.h"

namespace spokelab {

inline constexpr const char* unknownMessage = "the reading process sent an unknown message";

inline ChildLimits limitsToUnpack(const std::filesystem::path& file) {
  constexpr std::uint64_t minSeconds = 5, bytesPerSecond = 2u << 20;  // packed bytes unpack to far more
  return ChildLimits::ofReader(minSeconds + std::filesystem::file_size(file) / bytesPerSecond, file,
                               ReadReach::folder);
}

inline ChildArguments argumentsFor(const std::filesystem::path& file, const std::string& array) {
  ChildArguments arguments;
  arguments.put(file.string());
  arguments.put(array);
  return arguments;
}

class ChildBytes final : public StreamedBytes {
 public:
  ChildBytes(const std::filesystem::path& file, const std::string& array, const std::string& remedy,
             ChildProcess::Work work)
      : child_("Cannot read " + file.string(), remedy, limitsToUnpack(file), work,
               argumentsFor(file, array)) {}

 private:
  void next(char* data, std::size_t bytes, const Progress& progress) override {
    while (bytes > 0) {
      if (remainingBytes_ == 0) {
        const ChildFrame frame = child_.next(progress);
        if (frame.kind != ChildMessage::values) child_.fail("it ends before its numbers do");
        remainingBytes_ = frame.bytes;
        continue;
      }
      const std::size_t part = std::min<std::size_t>(bytes, remainingBytes_);
      child_.receive(data, part, progress);
      data += part;
      bytes -= part;
      remainingBytes_ -= part;
    }
  }

  ChildProcess child_;
  std::uint64_t remainingBytes_ = 0;  // of the message that is being received
};

}  // namespace spokelab
