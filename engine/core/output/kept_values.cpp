#include "engine/core/output/kept_values.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/temporary_name.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format = "spokelab-kept";
constexpr int formatVersion = 1;
constexpr std::size_t lineBytes = 1024;  // of what the file says of itself, filled up with spaces
constexpr std::string_view suffix = ".kept";
constexpr mode_t ownerOnly = 0600;
constexpr double maxSeconds = 1e6;                // a longer time is a damaged line
constexpr std::uint64_t freeBytes = 500'000'000;  // that a file system keeps for others

thread_local KeptValues* current = nullptr;

class OpenFile {
 public:
  OpenFile(const fs::path& file, int flags)
      : descriptor_(::open(file.c_str(), flags | O_CLOEXEC, ownerOnly)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool isOpen() const { return descriptor_ >= 0; }
  bool isFileOf(std::uint64_t bytes) const {
    struct stat status {};
    return ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) &&
           std::uint64_t(status.st_size) == bytes;
  }
  bool read(std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes = bytes.subspan(std::size_t(count));
    }
    return true;
  }
  bool write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes = bytes.subspan(std::size_t(count));
    }
    return true;
  }
  void touch() const { ::futimens(descriptor_, nullptr); }

 private:
  int descriptor_;
};

struct Line {
  std::string what, subject, key, hash;
  double seconds = 0;
  std::uint64_t bytes = 0;
};

std::string textOf(const Line& line) {
  const json j{{"format", format},    {"version", formatVersion}, {"what", line.what},
               {"key", line.key},     {"subject", line.subject},  {"hash", line.hash},
               {"bytes", line.bytes}, {"seconds", line.seconds}};
  std::string text = j.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() >= lineBytes) return {};
  text.resize(lineBytes - 1, ' ');
  return text + '\n';
}

std::optional<Line> lineFrom(std::string_view text) {
  try {
    const json j = parseDocument(text, "", "");
    if (j.at("format") != format || j.at("version") != formatVersion) return std::nullopt;
    Line line{j.at("what").get<std::string>(), j.at("subject").get<std::string>(),
              j.at("key").get<std::string>(),  j.at("hash").get<std::string>(),
              j.at("seconds").get<double>(),   j.at("bytes").get<std::uint64_t>()};
    if (!(line.seconds >= 0 && line.seconds < maxSeconds)) return std::nullopt;
    return line;
  } catch (const Error&) {
  } catch (const json::exception&) {
  }
  return std::nullopt;
}

std::optional<Line> lineOf(const OpenFile& file) {
  std::array<char, lineBytes> text{};
  if (!file.read(std::as_writable_bytes(std::span(text)))) return std::nullopt;
  return lineFrom(std::string_view(text.data(), text.size()));
}

constexpr int toRead = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;  // a pipe of that name must not block

std::string itemsText(const auto& items, const auto& textOfOne) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + textOfOne(item);
  return text;
}

}  // namespace

KeptValues::KeptValues(fs::path folder, const KeptLimits& limits)
    : folder_(std::move(folder)), limits_(limits) {
}

fs::path KeptValues::folderBeside(const fs::path& wisdom) {
  return wisdom.empty() ? fs::path() : fs::path(wisdom.string() + ".kept");
}

void KeptValues::setSubject(const ValueHash& subject) {
  const std::lock_guard guard(mutex_);
  subject_ = subject.text();
}

fs::path KeptValues::fileOf(std::string_view kind, const ValueHash& key) const {
  return folder_ / (std::string(kind) + '-' + key.text() + std::string(suffix));
}

bool KeptValues::takeBytes(std::string_view kind, const ValueHash& key, std::span<std::byte> values) {
  if (folder_.empty()) return false;
  const double begin = now();
  const fs::path place = fileOf(kind, key);
  const OpenFile file(place, toRead);
  if (!file.isOpen()) return false;
  const bool hasFullLength = file.isFileOf(lineBytes + values.size_bytes());
  const std::optional<Line> line = hasFullLength ? lineOf(file) : std::nullopt;
  if (!line || line->key != key.text() || line->bytes != values.size_bytes() || !file.read(values) ||
      hashOfBytes(values).text() != line->hash) {
    std::error_code failed;
    fs::remove(place, failed);
    return false;
  }
  file.touch();
  const std::lock_guard guard(mutex_);
  uses_.push_back({line->what, std::max(0.0, line->seconds - (now() - begin))});
  return true;
}

// False where the values would take more than half of the limit, or the disk is nearly full.
bool KeptValues::makeRoom(std::uint64_t bytes) const {
  if (bytes > limits_.bytes / 2) return false;
  removeAbandoned(folder_);
  std::vector<KeptItem> items = list();
  std::uint64_t all = bytes;
  for (const KeptItem& item : items) all += item.bytes;
  std::error_code failed;
  for (; all > limits_.bytes && !items.empty(); items.pop_back()) {
    all -= items.back().bytes;
    fs::remove(items.back().file, failed);
  }
  const fs::space_info space = fs::space(folder_, failed);
  return !failed && space.available >= bytes + freeBytes;
}

void KeptValues::keepBytes(std::string_view kind, const std::string& what, const ValueHash& key,
                           std::span<const std::byte> values, double seconds) {
  if (folder_.empty() || seconds < limits_.minSeconds || values.empty()) return;
  std::error_code failed;
  if (fs::create_directories(folder_, failed); failed) return;
  fs::permissions(folder_, fs::perms::owner_all, failed);
  if (!makeRoom(lineBytes + values.size_bytes())) return;
  Line line{what, {}, key.text(), hashOfBytes(values).text(), seconds, values.size_bytes()};
  {
    const std::lock_guard guard(mutex_);
    line.subject = subject_;
  }
  const std::string text = textOf(line);
  if (text.empty()) return;
  const fs::path place = fileOf(kind, key), temporary = temporaryName(folder_, place.filename());
  bool written = false;
  {
    const OpenFile file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    written = file.isOpen() && file.write(std::as_bytes(std::span(text))) && file.write(values);
  }
  if (written) fs::rename(temporary, place, failed);
  if (!written || failed) fs::remove(temporary, failed);
}

std::vector<KeptItem> KeptValues::list() const {
  std::vector<KeptItem> items;
  std::error_code failed;
  if (folder_.empty()) return items;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    const fs::path& place = entry->path();
    if (place.extension() != suffix || place.filename().string().starts_with('.')) continue;
    const OpenFile file(place, toRead);
    std::error_code gone;
    KeptItem item;
    item.file = place;
    item.bytes = entry->file_size(gone);
    item.used = entry->last_write_time(gone);
    if (gone || !file.isOpen()) continue;
    if (const std::optional<Line> line = lineOf(file); line && item.bytes == lineBytes + line->bytes) {
      item.what = line->what;
      item.subject = line->subject;
      item.seconds = line->seconds;
    } else {
      item.what = "damaged";
    }
    items.push_back(std::move(item));
  }
  std::sort(items.begin(), items.end(), [](const KeptItem& a, const KeptItem& b) { return a.used > b.used; });
  return items;
}

std::vector<KeptItem> KeptValues::listOf(const ValueHash& subject) const {
  std::vector<KeptItem> items = list();
  std::erase_if(items, [text = subject.text()](const KeptItem& item) { return item.subject != text; });
  return items;
}

std::size_t KeptValues::clear() const {
  std::size_t removed = 0;
  std::error_code failed;
  if (folder_.empty()) return removed;
  removeAbandoned(folder_);
  for (const KeptItem& item : list()) removed += fs::remove(item.file, failed) ? 1 : 0;
  return removed;
}

std::vector<KeptUse> KeptValues::uses() const {
  const std::lock_guard guard(mutex_);
  return uses_;
}

KeptValues* KeptValues::ofThread() {
  return current;
}

KeptValuesScope::KeptValuesScope(KeptValues* kept) noexcept : before_(std::exchange(current, kept)) {
}

KeptValuesScope::~KeptValuesScope() {
  current = before_;
}

std::string keptUseText(const std::vector<KeptUse>& uses) {
  return itemsText(
      uses, [](const KeptUse& use) { return use.what + " (" + secondsText(use.savedSeconds) + " saved)"; });
}

std::string keptItemsText(const std::vector<KeptItem>& items) {
  return itemsText(items,
                   [](const KeptItem& item) { return item.what + " (" + secondsText(item.seconds) + ')'; });
}

}  // namespace spokelab
