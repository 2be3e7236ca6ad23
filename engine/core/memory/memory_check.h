// Refuses work that cannot fit into memory before anything is allocated: headers can lie, and the
// system ends a process that takes too much without a word.
#pragma once

#include <cstdint>
#include <string>

namespace spokelab {

// True if this number of further bytes is available (machine_memory.h), and always for less than a
// thousandth of the machine's memory: the check takes longer than small plans do.
bool fitsIntoMemory(double bytes);
// True if the machine has this number of bytes in all: the answer never changes, for choices that
// must repeat.
bool fitsIntoMachine(double bytes);
// fitsIntoMachine() for a reproducible choice, which must not depend on the memory that is free
// just now; else fitsIntoMemory().
bool fits(double bytes, bool reproducible);

// Throws Error(summary, "<what> needs <bytes>, ...", remedy) where `bytes` more do not fit. Every
// job asks for what it will take before it takes it.
void requireMemory(double bytes, const std::string& summary, const std::string& what,
                   const std::string& remedy);

// Throws Error(summary, ...) where `bytes` are over the limit that a user gave (<= 0: none);
// `remedy` says what would take less.
void checkMemory(std::int64_t bytes, std::int64_t limit, const std::string& summary,
                 const std::string& remedy);

}  // namespace spokelab
