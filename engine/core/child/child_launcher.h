// Starts and ends child processes that run code of this program, safely in a program with threads.
// A forked process has one thread and copies of all locks, and a lock that another thread held is
// never released. So the launcher, a process forked while the program had one thread, forks all
// others and does nothing else. It ends with the program, and its children with it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace spokelab {

// A child's code: `socket`: its end of the connection; `shared`: the file it was given, or -1.
using ChildMain = void (*)(int socket, int shared);

// Makes the launcher once: first thing in main(), before any thread; else the first child does.
void startChildLauncher();

// A child with these files, no standard files, at most `cpuSeconds` of computing; or -errno.
pid_t launchChild(ChildMain main, std::uint64_t cpuSeconds, int socket, int shared);

// Waits for its end (killing it if `kill`); the status as waitpid() gives it, 0: unknown.
int endChild(pid_t child, bool kill);

}  // namespace spokelab
