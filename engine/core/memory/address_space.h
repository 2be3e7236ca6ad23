// Keeps a process small where its address space is limited (ulimit -v). Addresses that a thread
// reserves without using them count there: its stack, and 64 MiB for its malloc arena. They must
// leave most of the limit to data.
#pragma once

namespace spokelab {

// All threads share one malloc arena if addresses are limited. Call it first in main.
void shareArenaIfLimited();

// The number of threads to use, from 1 to `threads`: the system lets the process start them, and
// their stacks take at most an eighth of a limited address space. Starts threads to find out.
int threadsThatFit(int threads);

}  // namespace spokelab
