// Starts and ends child processes that run code of this program, safely in a program with threads.
// A forked process has one thread and copies of all locks, and a lock that another thread held is
// never released. So the launcher, a process forked while the program had one thread, forks all
// others and does nothing else. It ends with the program, and its children with it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace spokelab {

// The function that a child runs. socket: the child's end of the connection. shared: the open file
// that the child was given, or -1.
using ChildMain = void (*)(int socket, int shared);

// Forks the launcher, once. Call it first in main(), before any thread starts; without this call
// launchChild() forks the launcher.
void startChildLauncher();

// Starts a child with these two files open, /dev/null as standard files, and at most `cpuSeconds`
// of computing. Returns the child's process id, or -errno.
pid_t launchChild(ChildMain main, std::uint64_t cpuSeconds, int socket, int shared);

// Waits until the child has ended, after killing it if `kill`. Returns its status as waitpid()
// gives it; 0: unknown.
int endChild(pid_t child, bool kill);

}  // namespace spokelab
