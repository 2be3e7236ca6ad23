#include "engine/core/output/job_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/output/write_target.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

std::mutex& jobsMutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<JobFiles*>& jobsAtWork() {
  static std::vector<JobFiles*> jobs;
  return jobs;
}

std::atomic<ReplaceRule>& replaceRule() {
  static std::atomic<ReplaceRule> rule{nullptr};
  return rule;
}

std::atomic<bool> replacesForeignFiles = false;

// Device, inode, and the name in that folder where the file itself is not there yet.
using Identity = std::tuple<dev_t, ino_t, std::string>;

// Devices, pipes and folders have no identity here: they hold nothing that could be lost.
std::optional<Identity> identityOf(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Identity{status.st_dev, status.st_ino, {}};
  }
  try {
    const WriteTarget target = writeTarget(file);
    const fs::path folder = fs::absolute(target.place).parent_path();
    if (target.isStream || ::stat(folder.c_str(), &status) != 0) return std::nullopt;
    return Identity{status.st_dev, status.st_ino, target.place.filename().string()};
  } catch (const Error&) {
    return std::nullopt;
  }
}

const fs::path* sameFile(const std::vector<fs::path>& files, const fs::path& file) {
  const auto identity = identityOf(file);
  if (!identity) return nullptr;
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const fs::path& other) { return identityOf(other) == identity; });
  return found == files.end() ? nullptr : &*found;
}

[[noreturn]] void refuseInput(const fs::path& target, const fs::path& input) {
  const bool named = fs::absolute(target).lexically_normal() == input.lexically_normal();
  throw Error("Cannot write " + target.string(),
              named ? "it is what was read" : "it is the same file as " + input.string() + ", which was read",
              "Give the output another name: nothing is written over data that are in use");
}

void addOnce(std::vector<fs::path>& files, const fs::path& file) {
  if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
}

}  // namespace

JobFiles::JobFiles() {
  const std::lock_guard lock(jobsMutex());
  jobsAtWork().push_back(this);
}

JobFiles::~JobFiles() {
  const std::lock_guard lock(jobsMutex());
  std::erase(jobsAtWork(), this);
}

void JobFiles::reads(const fs::path& file) {
  if (file.empty()) return;
  const std::lock_guard lock(jobsMutex());
  if (const fs::path* output = sameFile(outputs_, file)) refuseInput(*output, fs::absolute(file));
  addOnce(inputs_, fs::absolute(file));
}

void JobFiles::addOutput(const fs::path& file, OutputKind kind, bool always) {
  requireReplaceable(file, kind);
  const std::lock_guard lock(jobsMutex());
  if (sameFile(outputs_, file) && !writeTarget(file).isStream)
    throw Error("Cannot write " + file.string(), "two outputs would be this file",
                "Give each output a different name");
  outputs_.push_back(fs::absolute(file));
  if (kind != OutputKind::state) results_.push_back({fs::absolute(file), always});
}

void JobFiles::writes(const fs::path& file, OutputKind kind) {
  if (file == "-") requireWritable("/dev/stdout");
  if (file.empty() || file == "-") return;
  requireWritable(file);
  addOutput(file, kind, true);
}

void JobFiles::mayWrite(const fs::path& file) {
  if (file == "-") requireWritable("/dev/stdout");
  if (file.empty() || file == "-") return;
  requireWritable(file);
  addOutput(file, OutputKind::result, false);
}

void JobFiles::writesInto(const fs::path& folder, const fs::path& name) {
  std::error_code ignored;
  if (folder.empty()) return;
  if (fs::is_directory(folder, ignored)) return mayWrite(folder / name);
  addOutput(folder / name, OutputKind::result, false);
}

void JobFiles::writesInto(const JobFolder& folder) {
  if (folder.folder.empty()) return;
  fs::path place = fs::absolute(folder.folder).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // "folder/"
  const std::lock_guard lock(jobsMutex());
  folders_.push_back({place, folder.prefix, folder.suffix});
}

void JobFiles::keeps(const fs::path& file) {
  if (!file.empty()) addOutput(file, OutputKind::state, false);
}

std::vector<fs::path> JobFiles::inputs() const {
  const std::lock_guard lock(jobsMutex());
  return inputs_;
}

std::vector<fs::path> JobFiles::outputs() const {
  const std::lock_guard lock(jobsMutex());
  return outputs_;
}

std::vector<JobOutput> JobFiles::results() const {
  const std::lock_guard lock(jobsMutex());
  return results_;
}

std::vector<JobFolder> JobFiles::folders() const {
  const std::lock_guard lock(jobsMutex());
  return folders_;
}

void noteInput(const fs::path& file) {
  if (file.empty()) return;
  const std::lock_guard lock(jobsMutex());
  for (JobFiles* job : jobsAtWork()) addOnce(job->inputs_, fs::absolute(file));
}

void setReplaceRule(ReplaceRule rule) {
  replaceRule() = rule;
}

void replaceForeignFiles() {
  replacesForeignFiles = true;
}

void requireReplaceable(const fs::path& target, OutputKind kind) {
  {
    const std::lock_guard lock(jobsMutex());
    for (const JobFiles* job : jobsAtWork())
      if (const fs::path* input = sameFile(job->inputs_, target)) refuseInput(target, *input);
  }
  std::error_code ignored;
  const ReplaceRule rule = replaceRule();
  if (rule && !replacesForeignFiles && fs::is_regular_file(target, ignored)) rule(target, kind);
}

void requireTarget(const fs::path& target, OutputKind kind) {
  requireReplaceable(target, kind);
  requireWritable(target);
}

}  // namespace spokelab
