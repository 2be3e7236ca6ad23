// Keeps a sweep's measurements in a separate thread, so that a kill or a cancel after hours loses
// only seconds. Beside each file that the sweep will write (sweep.csv) it writes NAME.partial.EXT
// (sweep.partial.csv), whole or not at all. These files are removed when the sweep has written its
// files.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/nufft/tune/result/tune_result.h"

namespace spokelab::cli {

class SweepKeeper {
 public:
  using Content = std::function<std::string(const TuneResult&)>;

  static constexpr int everyMs = 4000;

  // NAME.partial.EXT; empty for "-", a pipe or a device.
  static std::filesystem::path partialOf(const std::string& file);

  SweepKeeper() = default;
  ~SweepKeeper();  // writes what came since; a sweep of less than everyMs leaves nothing
  SweepKeeper(const SweepKeeper&) = delete;
  SweepKeeper& operator=(const SweepKeeper&) = delete;

  // Call before the sweep begins. An empty name and "-" do not name a file.
  void keepBeside(const std::string& file, Content content);
  void seen(const Candidate& candidate);
  void done();  // the sweep's own files are there

 private:
  void run(const std::stop_token& stop);
  void write();

  std::vector<std::pair<std::filesystem::path, Content>> files_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  TuneResult measured_;
  std::size_t turns_ = 0, writtenTurns_ = 0;  // calls of seen(); those in the files
  bool hasWritten_ = false, failed_ = false;
  std::jthread thread_;
};

}  // namespace spokelab::cli
