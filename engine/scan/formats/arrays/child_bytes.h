// The bytes of an array that a process sends from its begin to its end, in `values` messages.
#pragma once

#include <algorithm>
#include <string>

#include "engine/core/child/child_process.h"
#include "engine/scan/formats/arrays/array_bytes.h"

namespace spokelab {

class ChildBytes final : public StreamedBytes {
 public:
  // The arguments of ChildProcess.
  ChildBytes(const std::string& problem, const std::string& remedy, std::uint64_t cpuSeconds,
             ChildProcess::Work work, const ChildArguments& arguments)
      : child_(problem, remedy, cpuSeconds, work, arguments) {}

 private:
  void next(char* data, std::size_t bytes, const Progress& progress) override {
    while (bytes > 0) {
      if (left_ == 0) {
        const ChildFrame frame = child_.next(progress);
        if (frame.kind != ChildMessage::values) child_.fail("it ends before its numbers do");
        left_ = frame.bytes;
        continue;
      }
      const std::size_t part = std::min<std::size_t>(bytes, left_);
      child_.receive(data, part, progress);
      data += part;
      bytes -= part;
      left_ -= part;
    }
  }

  ChildProcess child_;
  std::uint64_t left_ = 0;  // of the message that is being received
};

}  // namespace spokelab
