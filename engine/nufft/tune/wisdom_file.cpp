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
#include "engine/core/document.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* format = "spokelab-wisdom";
constexpr int formatVersion = 1;
constexpr auto maxLockWait = std::chrono::seconds(5);
constexpr auto lockPause = std::chrono::milliseconds(5);

// True if this program wrote the text: after a crash a file may end early or hold zeros.
bool isOfWisdom(const std::string& text) {
  static const std::string formatText = '"' + std::string(format) + '"', beginning = "\"entries\"";
  const std::size_t first = text.find_first_not_of(" \t\r\n", text.starts_with('{') ? 1 : 0);
  return text.find(formatText) != std::string::npos ||
         (text.starts_with('{') && first != std::string::npos &&
          text.compare(first, beginning.size(), beginning) == 0) ||
         text.find_first_not_of('\0') == std::string::npos;
}

WisdomContent unusable(WisdomFileState state, const std::string& problem) {
  WisdomContent content;
  content.state = state;
  content.problem = problem;
  return content;
}

WisdomContent contentOf(const std::string& text) {
  const auto damaged = [&text](const std::string& problem) {
    return isOfWisdom(text) ? unusable(WisdomFileState::damaged, problem)
                            : unusable(WisdomFileState::notWisdom, "it does not hold wisdom");
  };
  try {
    const json j = parseDocument(text, "", "");
    if (!j.is_object() || j.value("format", json()) != format || !j.contains("version") ||
        !j["version"].is_number_integer() || !j.contains("entries") || !j["entries"].is_object())
      return damaged("it is damaged");
    if (j["version"] != formatVersion)
      return damaged("it has version " + j["version"].dump() + ", this program writes " +
                     std::to_string(formatVersion));
    WisdomContent content;
    for (const auto& [key, value] : j["entries"].items()) content.entries[key] = value.dump();
    return content;
  } catch (const Error& e) {
    return damaged("it is damaged: " + e.reason());
  }
}

}  // namespace

WisdomContent readWisdomFile(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(file, failed);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (status.type() == std::filesystem::file_type::none)
    return unusable(WisdomFileState::unreadable, "it cannot be read (" + failed.message() + ")");
  if (status.type() != std::filesystem::file_type::regular)
    return unusable(WisdomFileState::notWisdom, "it is not a regular file");
  if (std::filesystem::file_size(file, failed) > maxDocumentBytes && !failed)
    return unusable(WisdomFileState::notWisdom, "it is longer than any wisdom");
  try {
    const std::string text = readDocument(file);
    return text.empty() ? WisdomContent{} : contentOf(text);
  } catch (const Error& e) {
    return unusable(WisdomFileState::unreadable, e.reason());
  }
}

WisdomEntries readForeignWisdom(const std::filesystem::path& file, const Progress& progress) {
  WisdomContent content = contentOf(readDocument(file, progress));
  if (!content.usable())
    throw Error("Cannot read wisdom from " + file.string(), content.problem,
                "Name a file that 'wisdom export' of this version has written");
  return std::move(content.entries);
}

void writeWisdomFile(const std::filesystem::path& file, const WisdomEntries& entries, WisdomUse use) {
  json document = json::object();
  for (const auto& [key, value] : entries) {
    try {
      document[key] = parseDocument(value, "", "");
    } catch (const Error&) {  // skip an entry that is not JSON
    }
  }
  const json j{{"format", format}, {"version", formatVersion}, {"entries", std::move(document)}};
  const std::string text = j.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  if (use == WisdomUse::kept)
    writeKeptFile(file, text);
  else
    writeFileAtomically(file, text);
}

WisdomLock::WisdomLock(const std::filesystem::path& file) {
  const std::string path = file.string() + ".lock";
  constexpr mode_t readWrite = 0600;
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
