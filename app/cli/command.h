// What the commands share: the context they run in, and the arguments that several of them take.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/backends.h"
#include "app/cli/command_line.h"
#include "engine/core/progress.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/options/options.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab::cli {

// One run of the program.
class CommandContext {
 public:
  CommandContext(const CommandLineHooks& hooks, std::string commandLine, Progress progress)
      : hooks(hooks), commandLine(std::move(commandLine)), progress(std::move(progress)) {}

  const CommandLineHooks& hooks;
  const std::string commandLine;
  const Progress progress;

  Backends& backends();  // found on first use: some commands need none
  // Results in words, for stdout once the command has succeeded; nothing if the JSON goes there.
  void say(const std::string& line) { text_ += line + '\n'; }
  // Adds provenance and writes to the file of --json ("-": stdout, instead of the words).
  void json(const std::string& file, const nlohmann::json& document);
  // The command has done its work and written its results, but they are not what they should be: exit code 1.
  void fail(const std::string& why) { failure_ = why; }
  const std::string& failure() const { return failure_; }
  // Prints what was said. Throws Error where stdout cannot take it.
  void finish();

 private:
  std::unique_ptr<Backends> backends_;
  std::string text_, jsonText_, failure_;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual void run(CommandContext& context) = 0;
  CLI::App* app = nullptr;
};

// Each adds its subcommand to `parent`.
std::unique_ptr<Command> makeInfoCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeSimulateCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeReconstructCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeDensityCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeTuneCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeSweepCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeStudyCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeMapsCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeFieldCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeCompareCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeReportCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeBaselineCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeSuiteCommand(CLI::App& parent, const std::string& program);
std::unique_ptr<Command> makeWisdomCommand(CLI::App& parent, const std::string& program);

// FILE, --set, --dataset, --remember, --forget.
class ScanArguments {
 public:
  enum class Needed { yes, no };
  void addTo(CLI::App& app, Needed needed = Needed::yes);
  // `frames` and `slices`: the only ones to read ("": all). What --set says is kept for the file if --remember asks.
  std::shared_ptr<const Scan> read(const Progress& progress, const std::string& frames = "",
                                   const std::string& slices = "") const;
  const std::string& file() const { return file_; }
  ReadOptions options() const;

 private:
  std::string file_;
  std::vector<std::string> settings_;
  ReadOptions options_;
  bool remember_ = false, forget_ = false;
};

// One option for each row of reconOptionTable(), and wisdom.
class ReconArguments {
 public:
  void addTo(CLI::App& app);
  ReconOptions options() const;
  Wisdom* wisdom();  // null with --no-wisdom

 private:
  std::map<std::string, std::string> values_;
  std::map<std::string, bool> flags_;
  bool noWisdom_ = false;
  std::string wisdomFile_;
  std::unique_ptr<Wisdom> wisdom_;
};

void addJson(CLI::App& app, std::string& file);

// Throws Error at once, not after a long computation, where `file` cannot be written later.
void requireWritable(const std::filesystem::path& file);

// Words for people.
std::string joined(const std::vector<std::string>& words, const std::string& separator);
std::string sizeText(const Index3& size, int dims);                   // "256 x 256"
std::string countText(std::int64_t count, const std::string& thing);  // "1 coil", "12 coils"
std::string numberText(double value, int digits = 3);                 // "1.25", "7.1e-06"
std::string secondsText(double seconds);                              // "13.2 ms"
std::string planText(const Candidate& candidate);  // "cpu blocked, alpha 1.25, W 5.31, grid 320 x 320"
std::string variantText(
    const NufftOptions& options);  // ", task graph, normal toeplitz (alpha_T 2.06)", or nothing
std::string row(const std::string& name, const std::string& value);  // "  name        value"

}  // namespace spokelab::cli
