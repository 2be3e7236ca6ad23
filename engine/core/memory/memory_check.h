// Refuses work that cannot fit into memory before anything is allocated: headers can lie.
#pragma once

#include <cstdint>
#include <string>

namespace spokelab {

// Bytes of memory this machine has (a container's limit is not seen); the largest number where it
// does not say.
std::int64_t physicalMemoryBytes();

// Throws Error(summary, "<what> needs <bytes>, ...", remedy) where `bytes` is more than this
// machine's memory.
void requireMemory(double bytes, const std::string& summary, const std::string& what,
                   const std::string& remedy);

// Throws Error(summary, ...) where `bytes` are over the limit that a user gave (<= 0: none);
// `remedy` says what would take less.
void checkMemory(std::int64_t bytes, std::int64_t limit, const std::string& summary,
                 const std::string& remedy);

}  // namespace spokelab
