#include "engine/nufft/tune/wisdom_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* format = "spokelab-wisdom";
constexpr int formatVersion = 1;
constexpr std::uintmax_t maxFileBytes = 64u << 20;
// An entry's timings lie 5 deep.
constexpr int maxDepth = 16;
constexpr auto maxLockWait = std::chrono::seconds(5);
constexpr auto lockPause = std::chrono::milliseconds(5);

}  // namespace

WisdomContent readWisdomFile(const std::filesystem::path& file) {
  WisdomContent content;
  auto unusable = [&](const std::string& problem) {
    content.entries.clear();
    content.usable = false;
    content.problem = problem;
    return content;
  };
  std::error_code status;
  if (!std::filesystem::exists(file, status)) return content;
  const std::uintmax_t size = std::filesystem::file_size(file, status);
  if (status) return unusable("it cannot be read (" + status.message() + ")");
  if (size > maxFileBytes) return unusable("it is " + std::to_string(size >> 20) + " MiB long");
  json j;
  try {
    // Without a limit, deep nesting would exhaust the stack later on.
    bool tooDeep = false;
    const auto shallow = [&](int depth, json::parse_event_t, json&) {
      tooDeep = tooDeep || depth > maxDepth;
      return !tooDeep;
    };
    j = json::parse(readFile(file), shallow, false);
    if (tooDeep) return unusable("it is damaged");
  } catch (const Error& e) {
    return unusable(e.reason());
  }
  if (j.is_discarded() || !j.is_object() || !j.contains("format") || j["format"] != format ||
      !j.contains("version") || !j["version"].is_number_integer() || !j.contains("entries") ||
      !j["entries"].is_object())
    return unusable("it is damaged");
  if (j["version"] != formatVersion)
    return unusable("it has version " + j["version"].dump() + ", this program writes " +
                    std::to_string(formatVersion));
  for (const auto& [key, value] : j["entries"].items()) content.entries[key] = value.dump();
  return content;
}

WisdomEntries readForeignWisdom(const std::filesystem::path& file) {
  std::error_code status;
  WisdomContent content;
  if (std::filesystem::is_regular_file(file, status)) {
    content = readWisdomFile(file);
  } else {
    content.usable = false;
    content.problem = "there is no such file";
  }
  if (!content.usable)
    throw Error("Cannot read wisdom from " + file.string(), content.problem,
                "Name a file that 'wisdom export' of this version has written");
  return std::move(content.entries);
}

void writeWisdomFile(const std::filesystem::path& file, const WisdomEntries& entries) {
  json all = json::object();
  for (const auto& [key, value] : entries) {
    json entry = json::parse(value, nullptr, false);
    if (!entry.is_discarded()) all[key] = std::move(entry);
  }
  const json j{{"format", format}, {"version", formatVersion}, {"entries", std::move(all)}};
  writeFileAtomically(file, j.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

WisdomLock::WisdomLock(const std::filesystem::path& file) {
  const std::string path = file.string() + ".lock";
  constexpr mode_t readWrite = 0644;
  descriptor_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, readWrite);
  if (descriptor_ < 0)
    throw Error("Cannot lock " + path, std::strerror(errno), "Choose another place for the wisdom file");
  const auto deadline = std::chrono::steady_clock::now() + maxLockWait;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    if ((code != EWOULDBLOCK && code != EINTR) || std::chrono::steady_clock::now() > deadline) {
      ::close(descriptor_);
      throw Error("Cannot lock " + path,
                  code == EWOULDBLOCK ? "another process holds it" : std::strerror(code),
                  "Try again when that process has ended");
    }
    std::this_thread::sleep_for(lockPause);
  }
}

WisdomLock::~WisdomLock() {
  ::close(descriptor_);
}

}  // namespace spokelab
