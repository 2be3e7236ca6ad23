#include "engine/core/child/confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#define SPOKELAB_LANDLOCK 1
#endif
#ifdef SPOKELAB_SECCOMP
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <memory>
#endif

namespace spokelab {
namespace {

#ifdef SPOKELAB_LANDLOCK

// All rights over files of Landlock's first version: later ones add rights that seccomp takes away.
constexpr std::uint64_t allFileRights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

// -1 where the kernel has no Landlock.
int landlockVersion() {
  return int(::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

void confineFiles(const std::filesystem::path& readable) {
  if (landlockVersion() < 1) return;
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = allFileRights;
  const int rules = int(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (rules < 0) return;
  // A path that does not exist gives no right; its reader says that the file is missing.
  const int place = ::open(readable.c_str(), O_PATH | O_CLOEXEC);
  if (place >= 0) {
    landlock_path_beneath_attr rule{};
    std::error_code unknown;
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    if (std::filesystem::is_directory(readable, unknown)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    rule.parent_fd = place;
    ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(place);
  }
  ::syscall(SYS_landlock_restrict_self, rules, 0);
  ::close(rules);
}

#else

int landlockVersion() {
  return -1;
}
void confineFiles(const std::filesystem::path&) {
}

#endif

#ifdef SPOKELAB_SECCOMP

// Calls of computing, memory, reading, and of the socket to the parent.
constexpr int allowedCalls[] = {
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(pwrite64),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(lseek),
    SCMP_SYS(_llseek),
    SCMP_SYS(stat),
    SCMP_SYS(fstat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(fadvise64),
    SCMP_SYS(readahead),
    SCMP_SYS(flock),
    SCMP_SYS(fcntl),
    SCMP_SYS(dup),
    SCMP_SYS(mmap),
    SCMP_SYS(mmap2),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(mincore),
    SCMP_SYS(mlock),
    SCMP_SYS(munlock),
    SCMP_SYS(brk),
    SCMP_SYS(membarrier),
    SCMP_SYS(futex),
    SCMP_SYS(rseq),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(tgkill),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(send),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recv),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(getsockopt),
    SCMP_SYS(shutdown),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(times),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(gettid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getrlimit),
};

// A call's argument `number` compared; the library's macros are C's compound literals.
scmp_arg_cmp compared(unsigned number, scmp_compare comparison, scmp_datum_t a, scmp_datum_t b = 0) {
  return {number, comparison, a, b};
}

void confineCalls() {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)),
                                                                 seccomp_release);
  if (!filter) return;
  const auto allow = [&](int call, auto... conditions) {
    seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, sizeof...(conditions), conditions...);
  };
  for (const int call : allowedCalls) allow(call);
  // Files are opened for reading only.
  constexpr scmp_datum_t changes = O_ACCMODE | O_CREAT | O_TRUNC;
  allow(SCMP_SYS(open), compared(1, SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
  allow(SCMP_SYS(openat), compared(2, SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
  // Limits may be asked for, not set. The pointer to the new ones is null.
  allow(SCMP_SYS(prlimit64), compared(2, SCMP_CMP_EQ, 0));
  // Threads, not processes. glibc falls back to clone() from clone3(), whose flags no filter sees.
  constexpr scmp_datum_t cloneThread = 0x00010000;
  allow(SCMP_SYS(clone), compared(0, SCMP_CMP_MASKED_EQ, cloneThread, cloneThread));
  seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  // stdio asks a new file if it is a terminal.
  seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 0);
  seccomp_load(filter.get());
}

#else

void confineCalls() {
}

#endif

}  // namespace

void confineToReading(const std::filesystem::path& readable) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  confineFiles(readable);
  confineCalls();
}

bool canConfineFiles() {
  return landlockVersion() >= 1;
}

bool canConfineCalls() {
#ifdef SPOKELAB_SECCOMP
  // A kernel without seccomp answers EINVAL.
  return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
#else
  return false;
#endif
}

}  // namespace spokelab
