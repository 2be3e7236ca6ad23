#include "engine/core/array.h"

#include <atomic>

namespace spokelab {
namespace {

constexpr std::size_t alignment = 64;

std::atomic<std::int64_t> alive = 0;  // Buffers
BufferMemory source;                  // changes while there are none

}  // namespace

bool setBufferMemory(const BufferMemory& memory) {
  if (alive != 0) return false;
  source = memory;
  return true;
}

void* allocateBuffer(std::size_t bytes) {
  ++alive;
  try {
    if (!source.allocate) return ::operator new(bytes, std::align_val_t(alignment));
    if (void* const memory = source.allocate(bytes, alignment, source.user)) return memory;
    throw std::bad_alloc();
  } catch (...) {
    --alive;
    throw;
  }
}

void releaseBuffer(void* memory, std::size_t bytes) noexcept {
  if (source.release)
    source.release(memory, bytes, source.user);
  else
    ::operator delete(memory, std::align_val_t(alignment));
  --alive;
}

}  // namespace spokelab
