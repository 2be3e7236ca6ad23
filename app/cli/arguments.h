// Arguments that several commands take.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/core/output/job_files.h"
#include "engine/core/progress.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/options/options.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab::cli {

// FILE (or the option `name`), --set, --dataset, --remember, --forget; beside FILE the files that
// belong to its samples: --trajectory, --sample-weights, --noise.
class ScanArguments {
 public:
  enum class Needed { yes, no };
  void addTo(CLI::App& app, Needed needed = Needed::yes, const std::string& name = "FILE");
  // `frames`, `slices`: the only ones to read ("": all). Keeps --set's choices if --remember asks.
  std::shared_ptr<const Scan> read(const Progress& progress, const std::string& frames = "",
                                   const std::string& slices = "") const;
  // The shots and samples that a job will use. Faults in other shots and samples are no error.
  void select(const std::string& shots, const std::string& samples) { options_.selection = {shots, samples}; }
  const std::string& file() const { return file_; }
  ReadOptions options() const;
  void declare(JobFiles& files) const;

 private:
  void addSeparateFiles(CLI::App& app);

  std::string file_;
  std::vector<std::string> settings_;
  ReadOptions options_;
  bool remember_ = false, forget_ = false;
};

// One option for each entry of optionGroups(), grouped as in the window, and wisdom.
class ReconArguments {
 public:
  // transform: options of plans and exact sums; type3: options of type 3 plans.
  enum class Which { all, transform, type3 };
  void addTo(CLI::App& app, Which which = Which::all);
  ReconOptions options() const;
  Wisdom* wisdom();  // null with --no-wisdom
  void declare(JobFiles& files) const;

 private:
  void addOption(CLI::App& app, const OptionSpec& spec, const std::string& group);
  std::filesystem::path wisdomFile() const;

  std::map<std::string, std::string> values_;
  std::map<std::string, bool> flags_;
  bool noWisdom_ = false;
  std::string wisdomFile_;
  std::unique_ptr<Wisdom> wisdom_;
};

// The option --devices, which sets `devices`: the GPUs that share the command's cases ("0,2"), or
// "all".
void addDevices(CLI::App& app, std::string& devices);
// The option --json, which sets `file` ("-": stdout).
void addJson(CLI::App& app, std::string& file);

// Declares an image or another input: all files that its name denotes. An empty name declares none.
void declareInput(JobFiles& files, const std::filesystem::path& name);
// Declares a scan's files as inputs; a built-in scan and a pipe have none.
void declareScan(JobFiles& files, const std::filesystem::path& scan);
// Declares the files that the options name (maps, images of a field, a subspace) as inputs.
void declareMaps(JobFiles& files, const ReconOptions& options);

}  // namespace spokelab::cli
