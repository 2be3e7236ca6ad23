// The CPU's names: for users, and to tell one machine's wisdom from another's.
#pragma once

#include <string>

namespace spokelab {

std::string cpuBadge();        // "CPU 16 threads, AVX-512"
std::string cpuFingerprint();  // processor, instruction set, threads and FFTW's version

}  // namespace spokelab
