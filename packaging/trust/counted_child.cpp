// Linked first into a test program whose coverage is counted: the processes that read files may write
// their counters, which the confinement forbids, and write them before they end.
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "engine/core/child/confine.h"

extern "C" void __gcov_dump();

extern "C" [[noreturn]] void _exit(int status) {
  __gcov_dump();
  for (;;) ::syscall(SYS_exit_group, status);
}

namespace spokelab {
void confineToReading(const std::filesystem::path&) {}
}  // namespace spokelab
