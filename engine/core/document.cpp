#include "engine/core/document.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::size_t blockBytes = std::size_t{1} << 16;
constexpr int maxWaitMilliseconds = 50;  // between two looks at whether the job is cancelled

class OpenDocument {
 public:
  explicit OpenDocument(const std::filesystem::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) fail();
    if (S_ISDIR(status.st_mode)) {
      ::close(descriptor_);
      throw Error("Cannot read " + path_.string(), "it is a folder", "Name a file in it");
    }
  }
  ~OpenDocument() { ::close(descriptor_); }
  OpenDocument(const OpenDocument&) = delete;
  OpenDocument& operator=(const OpenDocument&) = delete;

  // Appends what is there; false at the end.
  bool read(std::string& content, const Progress& progress) {
    pollfd waiting{descriptor_, POLLIN, 0};
    int ready = 0;
    do {
      progress.checkpoint();
      ready = ::poll(&waiting, 1, maxWaitMilliseconds);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
    const std::size_t before = content.size();
    content.resize(before + blockBytes);
    const ssize_t got = ::read(descriptor_, content.data() + before, blockBytes);
    const bool again = got < 0 && (errno == EINTR || errno == EAGAIN);
    if (got < 0 && !again) fail();
    content.resize(before + std::size_t(std::max<ssize_t>(got, 0)));
    return got != 0;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error("Cannot read " + path_.string(), std::strerror(errno), "Check the path and its permissions");
  }

  const std::filesystem::path& path_;
  int descriptor_;
};

// True if the text has JSON's escape of a NUL character, where a file's name would end.
bool holdsNul(std::string_view json) {
  constexpr std::string_view nul = "\\u0000";
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\\') continue;
    if (json.substr(i, nul.size()) == nul) return true;
    ++i;  // an escaped backslash begins no escape
  }
  return false;
}

// "line 3, column 12" of a place in the text.
std::string placeText(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ", column " +
         std::to_string(before.size() - lineStart + 1);
}

}  // namespace

std::string readDocument(const std::filesystem::path& path, const Progress& progress, std::size_t maxBytes) {
  OpenDocument in(path);
  std::string content;
  while (in.read(content, progress))
    if (content.size() > maxBytes)
      throw Error("Cannot read " + path.string(),
                  "it is longer than " + bytesText(double(maxBytes)) + ", the limit for such a document",
                  "Check that the right file is named");
  return content;
}

bool isShallow(std::string_view json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxDocumentDepth) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

nlohmann::json parseDocument(std::string_view text, const std::string& problem, const std::string& remedy) {
  // Asked before anything is built: to destroy what is nested deep takes the stack, too.
  if (!isShallow(text))
    throw Error(problem, "it is nested more than " + std::to_string(maxDocumentDepth) + " deep", remedy);
  if (holdsNul(text))
    throw Error(problem, "a name or a text in it has a NUL character, where other programs would end it",
                remedy.empty() ? "Write it without" : remedy);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    const std::size_t at = e.byte > 0 ? e.byte - 1 : 0;
    throw Error(problem, "it is not JSON (" + placeText(text, at) + ")", remedy);
  } catch (const nlohmann::json::out_of_range&) {
    throw Error(problem, "a number in it is too large", remedy);
  }
}

}  // namespace spokelab
