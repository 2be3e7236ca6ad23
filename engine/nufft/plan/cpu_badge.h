// Names this machine's CPU: a badge for users, a fingerprint as key of its wisdom. Changing the
// fingerprint's text makes all stored wisdom of the CPU unknown.
#pragma once

#include <string>

namespace spokelab {

std::string cpuBadge();        // "CPU 16 threads, AVX-512"
std::string cpuFingerprint();  // processor, instruction set, threads and FFTW's version

}  // namespace spokelab
