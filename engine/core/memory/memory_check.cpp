#include "engine/core/memory/memory_check.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/text.h"

namespace spokelab {

bool fitsIntoMemory(double bytes) {
  // Asking the system takes up to half a millisecond: not for a small share of the memory.
  const double minBytesLookedAt = static_cast<double>(memoryCapacity()) / 1024;
  return bytes < minBytesLookedAt || bytes <= static_cast<double>(memoryBounds().left);
}

bool fitsIntoMachine(double bytes) {
  return bytes <= static_cast<double>(memoryCapacity());
}

bool fits(double bytes, bool reproducible) {
  return reproducible ? fitsIntoMachine(bytes) : fitsIntoMemory(bytes);
}

void requireMemory(double bytes, const std::string& summary, const std::string& what,
                   const std::string& remedy) {
  if (fitsIntoMemory(bytes)) return;
  const MemoryBounds memory = memoryBounds();
  throw Error(summary,
              what + " needs " + bytesText(bytes) + " of memory; of " +
                  bytesText(static_cast<double>(memory.most)) + ", " +
                  bytesText(static_cast<double>(memory.left)) + " are free",
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
