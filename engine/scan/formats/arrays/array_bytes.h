// A source of an array's bytes: a part of a file, a compressed member of an archive, or a process
// that unpacks them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/progress.h"

namespace spokelab {

class ArrayBytes {
 public:
  virtual ~ArrayBytes() = default;
  // Exactly the bytes [offset, offset + bytes). Throws Error where there are fewer, Cancelled.
  virtual void read(char* data, std::size_t bytes, std::int64_t offset, const Progress& progress) = 0;
  // False: one thread reads them, with offsets that only rise.
  virtual bool inAnyOrder() const = 0;
};

// Bytes that can only be read from begin to end; bytes between two reads are skipped.
class StreamedBytes : public ArrayBytes {
 public:
  void read(char* data, std::size_t bytes, std::int64_t offset, const Progress& progress) final;
  bool inAnyOrder() const final { return false; }

 protected:
  virtual void next(char* data, std::size_t bytes, const Progress& progress) = 0;

 private:
  std::int64_t at_ = 0;
};

}  // namespace spokelab
