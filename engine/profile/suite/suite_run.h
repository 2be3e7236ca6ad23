// Runs a suite in a folder: what is finished is kept, what is not is run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/profile/study/claims/claims.h"
#include "engine/profile/suite/suite.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

enum class SuiteState { ran, kept, failed, crashed };
std::string_view suiteStateName(SuiteState);  // "ran", "kept", "failed", "ended the program"

struct SuiteRow {
  std::string name;
  SuiteState state = SuiteState::ran;
  std::string why;     // it failed, or it is of another version
  double seconds = 0;  // it took, when it was run
  int results = 0;     // rows or plans
};

struct SuiteResult {
  std::vector<SuiteRow> rows;       // cancelled: those that were reached
  std::size_t cases = 0;            // all of them, or of the shard
  std::vector<ClaimResult> claims;  // of the papers, over all finished cases; none of a shard
  bool cancelled = false;
};

// A case that throws Error failed, which is kept, too. One during which the program ended twice is
// left out. `again`: what is finished is run again. Throws Error where the folder holds another
// suite, or cannot be written to. A suite with studies ends with verdicts.md and report.html
// (study_page.h). A shard writes results.3-of-16.json and .csv; shards may share a folder.
SuiteResult runSuite(const Suite& suite, const std::filesystem::path& folder,
                     const std::vector<Backend*>& backends, bool again, const std::string& commandLine,
                     const Progress& progress, const std::function<void(const SuiteRow&)>& seen = {},
                     const Shard& shard = {});

}  // namespace spokelab
