#include "app/cli/keepers/study_keeper.h"

#include <system_error>

#include <nlohmann/json.hpp>

#include "app/cli/keepers/sweep_keeper.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/study/study_results.h"

namespace spokelab::cli {

StudyKeeper::StudyKeeper(CommandContext& context, const std::string& csv, const std::string& json)
    : context_(context), csv_(SweepKeeper::partialOf(csv)), json_(SweepKeeper::partialOf(json)) {
}

void StudyKeeper::seen(const StudyRequest& request, const StudyRow& row, const StudyAxes& axes) {
  if (csv_.empty() && json_.empty()) return;
  const std::lock_guard lock(mutex_);
  rows_.request = request;
  rows_.axes = axes;
  rows_.cancelled = true;
  rows_.rows.push_back(row);
  const auto time = std::chrono::steady_clock::now();
  if (time - written_ < std::chrono::milliseconds(SweepKeeper::everyMs)) return;
  keep(rows_);
  written_ = time;
}

void StudyKeeper::keep(const StudyResult& result) {
  if (result.rows.empty()) return;
  try {
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(result));
    if (!json_.empty())
      writeFileAtomically(json_, recordText(recordOf(context_.commandLine, {{"study", toJson(result)}})));
  } catch (const Error&) {  // a disk that is full does not end the study
  }
}

void StudyKeeper::done() const {
  std::error_code ignored;
  for (const auto& file : {csv_, json_})
    if (!file.empty()) std::filesystem::remove(file, ignored);
}

}  // namespace spokelab::cli
