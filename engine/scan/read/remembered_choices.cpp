#include "engine/scan/read/remembered_choices.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/user_folder.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Fnv {
 public:
  void add(const unsigned char* data, std::size_t bytes) {
    constexpr std::uint64_t prime = 0x100000001b3;
    for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ data[i]) * prime;
  }
  std::string text() const { return hashText(hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

json parsed(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return json::object();
  try {
    json j = parseDocument(readDocument(file), "", "");
    return j.is_object() ? j : json::object();
  } catch (const Error&) {
    return json::object();
  }
}

}  // namespace

std::string fileFingerprint(const fs::path& file) {
  constexpr std::uintmax_t end = 1 << 20, piece = 4096, pieces = 64;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!in)
    throw Error("Cannot read " + file.string(), std::strerror(errno), "Check the permissions of the file");
  const std::uintmax_t size = fs::file_size(file);
  Fnv hash;
  std::vector<unsigned char> bytes(end);
  const auto add = [&](std::uintmax_t at, std::uintmax_t count) {
    if (at >= size || std::fseek(in.get(), long(at), SEEK_SET) != 0) return;
    hash.add(bytes.data(), std::fread(bytes.data(), 1, std::size_t(count), in.get()));
  };
  hash.add(reinterpret_cast<const unsigned char*>(&size), sizeof size);
  add(0, end);
  if (size > 2 * end) {
    for (std::uintmax_t i = 1; i < pieces; ++i) add(size / pieces * i, piece);
    add(size - end, end);
  } else if (size > end) {
    add(end, end);
  }
  return hash.text();
}

fs::path RememberedChoices::defaultFile() {
  if (const fs::path own = pathVariable("SPOKELAB_CHOICES"); !own.empty()) return own;
  const fs::path data = userData();
  return data.empty() ? fs::path() : data / "choices.json";
}

std::map<std::string, std::string> RememberedChoices::find(const std::string& fingerprint) const {
  std::map<std::string, std::string> choices;
  const json stored = parsed(file_);
  const auto entry = stored.find(fingerprint);
  if (entry == stored.end() || !entry->is_object()) return choices;
  const auto kept = entry->find("choices");
  if (kept == entry->end() || !kept->is_object()) return choices;
  for (const auto& [topic, choice] : kept->items())
    if (choice.is_string()) choices[topic] = choice.get<std::string>();
  return choices;
}

void RememberedChoices::keep(const std::string& fingerprint, const std::string& name,
                             const std::map<std::string, std::string>& choices) const {
  if (file_.empty() && !choices.empty())
    throw Error("Cannot remember the choices", "there is no home folder to keep them in (HOME is not set)",
                "Name a file with SPOKELAB_CHOICES");
  json all = parsed(file_);
  if (choices.empty() && !all.contains(fingerprint)) return;
  if (choices.empty())
    all.erase(fingerprint);
  else
    all[fingerprint] = {{"file", name}, {"choices", choices}};
  std::error_code failed;
  fs::create_directories(file_.parent_path(), failed);
  writeKeptFile(file_, all.dump(2, ' ', false, json::error_handler_t::replace) + '\n');
}

}  // namespace spokelab
