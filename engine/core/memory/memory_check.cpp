#include "engine/core/memory/memory_check.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "engine/core/error.h"

namespace spokelab {

double physicalMemoryBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long pageSize = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageSize > 0 ? double(pages) * double(pageSize) : HUGE_VAL;
}

std::string bytesText(double bytes) {
  static constexpr std::array<const char*, 7> units = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  constexpr double step = 1000;
  std::size_t unit = 0;
  while (bytes >= step && unit + 1 < units.size()) {
    bytes /= step;
    ++unit;
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text.data();
}

void requireMemory(double bytes, const std::string& summary, const std::string& what,
                   const std::string& remedy) {
  const double available = physicalMemoryBytes();
  if (bytes <= available) return;
  throw Error(summary, what + " needs " + bytesText(bytes) + ", this machine has " + bytesText(available),
              remedy);
}

}  // namespace spokelab
