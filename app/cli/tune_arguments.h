// Arguments of `tune`, `sweep` and `report` beside the reconstruction's; tables of candidates.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "engine/recon/explore/sweep_policy.h"
#include "engine/recon/run/scan_problem.h"

namespace spokelab::cli {

class TuneArguments {
 public:
  void addTo(CLI::App& app);
  TuneRequest request(const ScanProblem& problem, const ReconOptions& options) const;

 private:
  bool measureError_ = false;
};

class SweepArguments {
 public:
  // At most `alphas` values of alpha, each with `widths` (empty: the smallest that serves).
  explicit SweepArguments(std::size_t alphas = defaultSweepAlphas, std::string widths = {})
      : alphaCount_(alphas), widths_(std::move(widths)) {}
  void addTo(CLI::App& app);
  // The named values, and defaults for the others.
  SweepPolicy policy(const TuneRequest& base) const;

 private:
  std::size_t alphaCount_;
  std::string alphas_, widths_;  // lists as realNumberList() reads them
  std::string over_;
};

void sayCandidates(CommandContext& context, const TuneResult& result);

void addCsv(CLI::App& app, std::string& file);

}  // namespace spokelab::cli
