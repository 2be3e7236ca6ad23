// Keeps a process small where its address space is limited (ulimit -v). What threads reserve
// without using it counts there: 64 MiB of malloc's for each, and its stack. A larger limit must
// not be eaten up by more of these.
#pragma once

namespace spokelab {

// All threads share one malloc arena if addresses are limited. Call it first in main.
void shareArenaIfLimited();

// Threads that the process may start and whose stacks fit beside the data.
int threadsThatFit(int threads);

}  // namespace spokelab
