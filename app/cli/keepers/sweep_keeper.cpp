#include "app/cli/keepers/sweep_keeper.h"

#include <chrono>
#include <system_error>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/output/write_target.h"
#include "engine/nufft/tune/repeats.h"

namespace spokelab::cli {

namespace fs = std::filesystem;

fs::path SweepKeeper::partialOf(const std::string& name) {
  if (name.empty() || name == "-" || writeTarget(name).isStream) return {};
  const fs::path file = name;
  return file.parent_path() / (file.stem().string() + ".partial" + file.extension().string());
}

SweepKeeper::~SweepKeeper() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  if (hasWritten_ && turns_ > writtenTurns_) write();
}

void SweepKeeper::keepBeside(const std::string& file, Content content) {
  if (const fs::path partial = partialOf(file); !partial.empty())
    files_.emplace_back(partial, std::move(content));
}

void SweepKeeper::seen(const Candidate& candidate) {
  if (files_.empty()) return;
  const std::lock_guard lock(mutex_);
  addOrRefine(measured_.candidates, candidate);
  ++turns_;
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void SweepKeeper::done() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  hasWritten_ = false;
  std::error_code ignored;
  for (const auto& [file, content] : files_) fs::remove(file, ignored);
}

void SweepKeeper::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait_for(lock, stop, std::chrono::milliseconds(everyMs), [] { return false; });
    if (stop.stop_requested() || failed_) return;
    if (turns_ > writtenTurns_) write();
  }
}

// mutex_ held, or no thread any more. A disk that is full does not end the sweep.
void SweepKeeper::write() {
  try {
    for (const auto& [file, content] : files_) writeFileAtomically(file, content(measured_));
    writtenTurns_ = turns_;
    hasWritten_ = true;
  } catch (const Error&) {
    failed_ = true;
  }
}

}  // namespace spokelab::cli
