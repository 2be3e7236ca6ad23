#include "engine/core/memory/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kibibyte = 1024;

void lower(MemoryBounds& bounds, std::int64_t maxBytes, std::int64_t used) {
  bounds.most = std::min(bounds.most, maxBytes);
  bounds.left = std::min(bounds.left, std::max<std::int64_t>(0, maxBytes - used));
}

// The number behind `key` in lines of "key number", or the first number if the key is empty; no
// value without a number ("max").
std::optional<std::int64_t> numberIn(const fs::path& file, const std::string& key = {}) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    std::string word;
    if (!key.empty() && (!(words >> word) || word != key)) continue;
    std::int64_t number = 0;
    if (words >> number) return number;
    if (key.empty()) break;
  }
  return std::nullopt;
}

struct GroupFiles {
  const char *most, *used, *reclaimable;
};
constexpr GroupFiles version2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles version1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

// A group's limit holds for all groups below it.
void lowerByGroups(const fs::path& mount, const std::string& group, const GroupFiles& files,
                   MemoryBounds& bounds) {
  fs::path path = fs::path(group).relative_path().lexically_normal();
  while (true) {
    const fs::path folder = path.empty() ? mount : mount / path;
    if (const auto maxBytes = numberIn(folder / files.most); maxBytes && *maxBytes > 0) {
      const std::int64_t used = numberIn(folder / files.used).value_or(0),
                         cached = numberIn(folder / "memory.stat", files.reclaimable).value_or(0);
      lower(bounds, *maxBytes, std::max<std::int64_t>(0, used - cached));
    }
    if (path.empty()) return;
    path = path.has_parent_path() ? path.parent_path() : fs::path();
  }
}

// ulimit -v and -d.
void lowerByLimits(MemoryBounds& bounds) {
  const auto lowerBy = [&](int resource, const char* used) {
    if (const auto maxBytes = resourceLimit(resource))
      lower(bounds, *maxBytes, numberIn("/proc/self/status", used).value_or(0) * kibibyte);
  };
  lowerBy(RLIMIT_AS, "VmSize:");
  lowerBy(RLIMIT_DATA, "VmData:");
}

}  // namespace

std::optional<std::int64_t> resourceLimit(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, unbounded));
}

MemoryBounds memoryBoundsBelow(const fs::path& root) {
  MemoryBounds bounds{unbounded, unbounded};
  const fs::path info = root / "proc/meminfo";
  if (const auto total = numberIn(info, "MemTotal:")) {
    const std::int64_t free =
        numberIn(info, "MemAvailable:").value_or(*total) + numberIn(info, "SwapFree:").value_or(0);
    bounds.most = *total * kibibyte;
    bounds.left = free * kibibyte;
  }
  const fs::path groups = root / "sys/fs/cgroup";
  std::ifstream stream(root / "proc/self/cgroup");
  std::string line;  // "id:controllers:path"
  while (std::getline(stream, line)) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,")
      lowerByGroups(groups, path, version2, bounds);
    else if (controllers.find(",memory,") != std::string::npos)
      lowerByGroups(groups / "memory", path, version1, bounds);
  }
  return bounds;
}

MemoryBounds memoryBounds() {
  MemoryBounds bounds = memoryBoundsBelow("/");
  const long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  if (pages > 0 && pageSize > 0) bounds.most = std::min(bounds.most, std::int64_t{pages} * pageSize);
  lowerByLimits(bounds);
  return bounds;
}

std::int64_t memoryCapacity() {
  static const std::int64_t capacity = memoryBounds().most;
  return capacity;
}

}  // namespace spokelab
