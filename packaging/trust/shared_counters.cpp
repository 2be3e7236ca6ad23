// Linked into the test programs of packaging/coverage: lets forked processes count in the memory of
// the program that started them, and writes it once, at that program's end. Confined processes may
// not write files. Needs shared_counters.ld, which puts the compiler's counters side by side.
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>

extern "C" char spokelabCountersBegin[], spokelabCountersEnd[];

namespace {

// Before any code that counts in a forked process; what was counted until now is lost.
__attribute__((constructor(101))) void shareCounters() {
  const auto bytes = std::size_t(spokelabCountersEnd - spokelabCountersBegin);
  if (bytes == 0) return;
  if (mmap(spokelabCountersBegin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
           0) == MAP_FAILED)
    std::perror("sharing the counters");
}

}  // namespace
