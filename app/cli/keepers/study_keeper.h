// A study's rows so far, in NAME.partial.EXT beside its outputs: for a cancel or a kill. Removed at
// the end.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>

#include "app/cli/context.h"
#include "engine/profile/study/study.h"

namespace spokelab::cli {

class StudyKeeper {
 public:
  // csv, json: the outputs; empty: not wanted.
  StudyKeeper(CommandContext& context, const std::string& csv, const std::string& json);
  // Receives rows from any thread.
  void seen(const StudyRequest& request, const StudyRow& row, const StudyAxes& axes);
  void keep(const StudyResult& result);
  void done() const;

 private:
  CommandContext& context_;
  const std::filesystem::path csv_, json_;
  std::mutex mutex_;
  StudyResult rows_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace spokelab::cli
