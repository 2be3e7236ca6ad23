// The memory that this process may use: the machine's, or what is left of it by a container's limit
// (cgroup) or the user's (ulimit -v, ulimit -d).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace spokelab {

struct MemoryBounds {
  std::int64_t most;  // bytes that may be held in all
  std::int64_t left;  // bytes that can still be taken
};

// The present bounds of this process; the largest number if the system does not say. Reads some
// small files in a tenth of a millisecond.
MemoryBounds memoryBounds();

// memoryBounds().most as the process began: cheap, for choices that should not change.
std::int64_t memoryCapacity();

// This process's limit of a resource (RLIMIT_AS, RLIMIT_DATA); no value without a limit.
std::optional<std::int64_t> resourceLimit(int resource);

// The part of memoryBounds() that the files below `root` ("/") tell: /proc/meminfo and the limits
// of the process' control groups, version 1 or 2.
MemoryBounds memoryBoundsBelow(const std::filesystem::path& root);

}  // namespace spokelab
