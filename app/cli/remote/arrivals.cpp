#include "app/cli/remote/arrivals.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/output/write_error.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxLineBytes = 1024;

std::string_view wordOf(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool takeNumber(std::string_view& line, std::uintmax_t& number) {
  const std::string_view word = wordOf(line);
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  return failed == std::errc() && end == word.data() + word.size();
}

bool isNameIn(const JobFolder& folder, std::string_view name) {
  constexpr unsigned char firstPrintable = 0x20;
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return c != '/' && static_cast<unsigned char>(c) >= firstPrintable;
  });
  return plain && !name.starts_with('.') && name.size() > folder.prefix.size() + folder.suffix.size() &&
         name.starts_with(folder.prefix) && name.ends_with(folder.suffix);
}

std::string placeThere(const fs::path& place) {
  return shellWord("results" + place.string());
}

}  // namespace

std::string sendingScript(const std::vector<JobOutput>& outputs, const std::vector<JobFolder>& folders) {
  std::string script =
      "one() { [ -f \"$2\" ] || { echo none $1; return; }\n"
      "  printf 'file %s %s\\n' $1 $(($(wc -c < \"$2\"))) && cat < \"$2\" || exit 1; }\n"
      "more() { [ -f \"$2\" ] || return 0\n"
      "  printf 'more %s %s %s\\n' $1 $(($(wc -c < \"$2\"))) \"${2##*/}\" && cat < \"$2\" || exit 1; }\n";
  for (std::size_t i = 0; i < outputs.size(); ++i)
    script += "one " + std::to_string(i) + ' ' + placeThere(outputs[i].file) + '\n';
  for (std::size_t i = 0; i < folders.size(); ++i)
    script += "for f in " + placeThere(folders[i].folder) + '/' + folders[i].prefix + '*' +
              folders[i].suffix + "; do more " + std::to_string(i) + " \"$f\"; done\n";
  return script + "echo end\n";
}

Arrivals::Arrivals(std::string host, std::vector<JobOutput> outputs, std::vector<JobFolder> folders)
    : host_(std::move(host)), outputs_(std::move(outputs)), folders_(std::move(folders)) {
}

Arrivals::~Arrivals() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Arrivals::refuse(const std::string& why) const {
  throw Error("Cannot take what " + host_ + " sends", why,
              "See that it is the machine you mean, and that nothing there prints words into ssh's output");
}

void Arrivals::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (remainingBytes_ > 0) {
      const auto part = std::size_t(std::min<std::uintmax_t>(remainingBytes_, bytes.size()));
      write(bytes.substr(0, part));
      bytes.remove_prefix(part);
      if (remainingBytes_ == 0) closeFile();
      continue;
    }
    const std::size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    if (line_.size() > maxLineBytes) refuse("it is not the answer that was expected");
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    takeLine(std::exchange(line_, {}));
  }
}

void Arrivals::takeLine(const std::string& line) {
  std::string_view rest = line;
  const std::string_view word = wordOf(rest);
  std::uintmax_t number = 0, bytes = 0;
  const bool named = word == "file" || word == "none";
  if (ended_) refuse("it sent more after its end");
  if (word == "end" && rest.empty() && next_ == outputs_.size()) {
    ended_ = true;
    return;
  }
  if ((!named && word != "more") || !takeNumber(rest, number) || (word != "none" && !takeNumber(rest, bytes)))
    refuse("it is not the answer that was expected");
  if (named) {
    if (number != next_ || !rest.empty() || next_ == outputs_.size())
      refuse("it sends another file than the next one that was asked for");
    const fs::path& place = outputs_[next_++].file;
    if (word == "none")
      absent_.push_back(place);
    else
      begin(place, bytes);
    return;
  }
  if (next_ != outputs_.size() || number >= folders_.size() || !isNameIn(folders_[number], rest))
    refuse("it sends a file that was not asked for");
  begin(folders_[number].folder / rest, bytes);
}

void Arrivals::begin(const fs::path& place, std::uintmax_t bytes) {
  if (!sentFiles_.insert(place).second) refuse("it sends " + place.string() + " twice");
  std::error_code failed;
  fs::create_directories(place.parent_path(), failed);
  if (failed) throw writeError(place, failed.value());
  files_.push_back(std::make_unique<AtomicFile>(place));
  places_.push_back(place);
  const fs::space_info room = fs::space(files_.back()->path().parent_path(), failed);
  if (!failed && room.available < bytes) throw writeError(place, ENOSPC);
  descriptor_ = ::open(files_.back()->path().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor_ < 0) throw writeError(place, errno);
  remainingBytes_ = bytes;
  if (remainingBytes_ == 0) closeFile();
}

void Arrivals::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw writeError(places_.back(), errno);
    bytes.remove_prefix(std::size_t(written));
    remainingBytes_ -= std::uintmax_t(written);
  }
}

void Arrivals::closeFile() {
  if (::close(std::exchange(descriptor_, -1)) != 0) throw writeError(places_.back(), errno);
}

void Arrivals::commit(const Progress& progress) {
  if (!ended_) refuse("it ends before its last file does");
  for (const auto& file : files_) file->commit(progress);
}

std::vector<fs::path> Arrivals::missing() const {
  std::vector<fs::path> all;
  for (const JobOutput& output : outputs_) {
    const bool absent = std::find(absent_.begin(), absent_.end(), output.file) != absent_.end();
    if (absent && (output.always || places_.empty())) all.push_back(output.file);
  }
  if (places_.empty())
    for (const JobFolder& folder : folders_) all.push_back(folder.folder);
  return all;
}

}  // namespace spokelab::cli
