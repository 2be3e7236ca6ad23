#include "engine/core/array.h"

#include <atomic>

#include "engine/core/memory/huge_pages.h"

namespace spokelab {
namespace {

constexpr std::size_t alignment = 64;

// Large arrays request huge pages: the system clears and maps each small one when it is first
// touched, which takes longer than what is then written there. They begin at a huge page: pages at
// their ends would be small ones otherwise, 4 MB of an array.
std::align_val_t alignmentOf(std::size_t bytes) {
  return std::align_val_t(bytes >= minHugeBytes ? hugePageBytes : alignment);
}

std::atomic<std::int64_t> alive = 0;  // Buffers
BufferMemory source;                  // may change only while no Buffer is alive

}  // namespace

bool setBufferMemory(const BufferMemory& memory) {
  if (alive != 0) return false;
  source = memory;
  return true;
}

void* allocateBuffer(std::size_t bytes) {
  ++alive;
  try {
    if (!source.allocate) {
      void* const memory = ::operator new(bytes, alignmentOf(bytes));
      if (bytes >= minHugeBytes) useHugePages(memory, bytes);
      return memory;
    }
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
    ::operator delete(memory, alignmentOf(bytes));
  --alive;
}

}  // namespace spokelab
