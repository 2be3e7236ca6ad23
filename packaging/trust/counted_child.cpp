// Linked first into a test program whose coverage is counted: the processes that read files may write
// their counters, which their confinement and their limit of file sizes forbid, and write them before
// they end.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "engine/core/child/confine.h"

extern "C" void __gcov_dump();

extern "C" [[noreturn]] void _exit(int status) {
  __gcov_dump();
  for (;;) ::syscall(SYS_exit_group, status);
}

extern "C" int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  if (resource == RLIMIT_FSIZE) return 0;
  return int(::syscall(SYS_prlimit64, 0, resource, limit, nullptr));
}

namespace spokelab {
void confineToReading(const std::filesystem::path&) {
}
}  // namespace spokelab
