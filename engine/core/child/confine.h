// Confines a process that reads files, so that a damaged file which exploits a library harms this
// process alone. Landlock (Linux 5.13) limits the files, seccomp (libseccomp, where the build found
// it) the system calls. If the kernel lacks one of them, the other still applies; that is not an
// error.
#pragma once

#include <filesystem>

namespace spokelab {

// For the rest of its life the process may read `readable` (a file, or a folder and all below) and
// use the files that it has open; it opens nothing for writing, makes no file, socket or process,
// and runs no program. Refused calls fail with EACCES or EPERM.
void confineToReading(const std::filesystem::path& readable);

// The kernel and this build can confine: files (Landlock), system calls (seccomp).
bool canConfineFiles();
bool canConfineCalls();

}  // namespace spokelab
