#include "engine/core/memory/memory_check.h"

#include <unistd.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {

std::int64_t physicalMemoryBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long pageSize = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageSize > 0 ? std::int64_t{pages} * pageSize
                                   : std::numeric_limits<std::int64_t>::max();
}

void requireMemory(double bytes, const std::string& summary, const std::string& what,
                   const std::string& remedy) {
  const auto available = static_cast<double>(physicalMemoryBytes());
  if (bytes <= available) return;
  throw Error(summary, what + " needs " + bytesText(bytes) + ", this machine has " + bytesText(available),
              remedy);
}

void checkMemory(std::int64_t bytes, std::int64_t limit, const std::string& summary,
                 const std::string& remedy) {
  if (limit <= 0 || bytes <= limit) return;
  constexpr double mebibyte = 1024.0 * 1024.0;
  throw Error(summary,
              "it takes " + fixedText(std::ceil(static_cast<double>(bytes) / mebibyte), 0) +
                  " MiB, the limit is " + fixedText(std::round(static_cast<double>(limit) / mebibyte), 0) +
                  " MiB",
              remedy);
}

}  // namespace spokelab
