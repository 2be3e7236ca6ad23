#include "engine/core/memory/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

#include "engine/core/thread_pool.h"

namespace spokelab {

void useHugePages(void* data, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = hugePageBytes;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) & ~(page - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) & ~(page - 1);
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)data;
  (void)bytes;
#endif
}

void resizeLarge(std::vector<double>& values, std::size_t count) {
  constexpr std::size_t page = 4096;
  const std::size_t bytes = count * sizeof(double);
  if (count > values.capacity() && bytes >= minHugeBytes) {
    values.reserve(count);
    useHugePages(values.data(), bytes);
    char* const fresh = reinterpret_cast<char*>(values.data() + values.size());
    const std::size_t length = bytes - values.size() * sizeof(double);
    constexpr std::int64_t pagesPerTask = 1 << 9;
    parallelFor(std::int64_t((length + page - 1) / page), 0, pagesPerTask,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i)
                    *static_cast<volatile char*>(fresh + std::size_t(i) * page) = 0;
                });
  }
  values.resize(count);
}

}  // namespace spokelab
