// Refuses work that cannot fit into this machine's memory before anything is allocated: headers can lie.
#pragma once

#include <string>

namespace spokelab {

// Bytes of memory this machine has (a container's limit is not seen).
double physicalMemoryBytes();

// "3.4 GB"
std::string bytesText(double bytes);

// Throws Error(summary, "<what> needs <bytes>, ...", remedy) where `bytes` is more than this machine's
// memory.
void requireMemory(double bytes, const std::string& summary, const std::string& what,
                   const std::string& remedy);

}  // namespace spokelab
