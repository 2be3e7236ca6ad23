#include "engine/core/output/temporary_name.h"

#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/core/text.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t partDigits = 8, markDigits = 3 * partDigits;

std::string firstLine(const char* file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

// FNV: the same in every version of the program.
std::string hashed(std::string_view text) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ std::uint8_t(c)) * prime;
  return hashText(hash).substr(0, partDigits);
}

// Host, boot, space of process numbers.
const std::string& ownMark() {
  static const std::string mark = [] {
    std::array<char, HOST_NAME_MAX + 1> host{};
    ::gethostname(host.data(), host.size() - 1);
    struct stat space {};
    ::stat("/proc/self/ns/pid", &space);
    return hashed(host.data() + firstLine("/etc/machine-id")) +
           hashed(firstLine("/proc/sys/kernel/random/boot_id")) + hashed(std::to_string(space.st_ino));
  }();
  return mark;
}

// "name" and ".ext" of a file; ".nii.gz" counts as one extension.
std::pair<std::string, std::string> nameParts(const fs::path& file) {
  fs::path stem = file.filename();
  std::string extension;
  while (stem.has_extension() && stem.stem() != stem) {
    extension.insert(0, stem.extension().string());
    stem = stem.stem();
    if (extension != ".gz") break;
  }
  return {stem.string(), extension};
}

std::string hidden(const std::string& name) {
  return (name.starts_with('.') ? "" : ".") + name;
}

// Shortens a name to maxBytes without cutting a UTF-8 character.
std::string shortened(std::string name, std::size_t maxBytes) {
  constexpr unsigned kindBits = 0xC0, continuation = 0x80;
  if (name.size() <= maxBytes) return name;
  while (maxBytes > 0 && (std::uint8_t(name[maxBytes]) & kindBits) == continuation) --maxBytes;
  name.resize(maxBytes);
  return name;
}

std::optional<std::string> lastPart(std::string& name) {
  const auto dash = name.rfind('-');
  if (dash == std::string::npos) return std::nullopt;
  std::string part = name.substr(dash + 1);
  name.resize(dash);
  return part;
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Has the process that made this name certainly ended? False for every other name.
bool isAbandoned(const fs::path& file) {
  std::string name = nameParts(file).first;
  const auto count = lastPart(name), process = lastPart(name), mark = lastPart(name);
  if (!mark || name.size() < 2 || name[0] != '.' || !isNumber(*count) || !isNumber(*process) ||
      mark->size() != markDigits || mark->find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  const auto part = [](const std::string& of, std::size_t n) {
    return std::string_view(of).substr(n * partDigits, partDigits);
  };
  const std::string& thisProcess = ownMark();
  if (part(*mark, 0) != part(thisProcess, 0)) return false;  // another host's
  if (part(*mark, 1) != part(thisProcess, 1)) return true;   // an earlier boot's
  if (part(*mark, 2) != part(thisProcess, 2)) return false;  // another container's
  int number = 0;
  std::from_chars(process->data(), process->data() + process->size(), number);
  return number > 0 && ::kill(pid_t(number), 0) != 0 && errno == ESRCH;
}

}  // namespace

fs::path temporaryName(const fs::path& folder, const fs::path& name) {
  static std::atomic<unsigned> count{0};
  const auto [stem, extension] = nameParts(name);
  const std::string unique =
      "-" + ownMark() + "-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + extension;
  return folder /
         (shortened(hidden(stem), NAME_MAX - std::min<std::size_t>(unique.size(), NAME_MAX)) + unique);
}

void removeAbandoned(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (isAbandoned(entry->path())) left.push_back(entry->path());
  for (const fs::path& entry : left) fs::remove_all(entry, failed);
}

}  // namespace spokelab
