// Starts and ends child processes that run code of this program, safely in a program with threads.
// A forked process has one thread and copies of all locks, and a lock that another thread held is
// never released. So the launcher, a process forked while the program had one thread, forks all
// others and does nothing else. It ends with the program, and its children with it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace spokelab {

// The code of a child: `socket` is its end of the connection, `shared` the file it was given, or
// -1.
using ChildMain = void (*)(int socket, int shared);

// Makes the launcher, once. Programs call this first thing in main(), before any thread; without
// that the first child makes it.
void startChildLauncher();

// The child has these two files, standard files that lead nowhere, and at most `cpuSeconds` of
// computing. -errno where it cannot be made.
pid_t launchChild(ChildMain main, std::uint64_t cpuSeconds, int socket, int shared);

// Waits for its end, after killing it where `kill`; the status as waitpid() gives it, or 0 where it
// is not known.
int endChild(pid_t child, bool kill);

}  // namespace spokelab
