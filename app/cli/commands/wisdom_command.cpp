// wisdom: what tuning has found out, shown, written to a file, taken from one, merged, forgotten.
#include <algorithm>
#include <map>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/output/kept_values.h"
#include "engine/core/text.h"
#include "engine/profile/results/job_json.h"

namespace spokelab::cli {
namespace {

namespace fs = std::filesystem;

std::string mergeText(const WisdomMerge& m) {
  const std::string text = countText(m.added, "entry", "entries") + " added, " + std::to_string(m.replaced) +
                           " replaced, " + std::to_string(m.kept) + " kept";
  return m.refused ? text + ", " + std::to_string(m.refused) + " refused: no wisdom" : text;
}

class WisdomCommand final : public Command {
 public:
  WisdomCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand(
        "wisdom",
        "Show, export, import, merge or forget what tuning has found out, and what is kept beside it");
    app->require_subcommand(1);
    app->add_option("--wisdom", file_, "File of earlier tuning")
        ->type_name("FILE")
        ->default_str(Wisdom::defaultFile().string());
    app->fallthrough();
    show_ = app->add_subcommand("show", "List what is known and kept");
    addJson(*show_, json_);
    export_ = app->add_subcommand("export", "Write it to a file");
    addFile(*export_, "The file to write");
    import_ =
        app->add_subcommand("import", "Add a file's entries; the file's count where both know a problem");
    addFile(*import_, "A file that 'export' has written");
    merge_ = app->add_subcommand(
        "merge", "Make one file of several; for each machine and problem the better measured plan counts");
    merge_->add_option("FILES", files_, "Files that 'export' has written")->required()->type_name("FILE...");
    merge_->add_option("-o,--output", target_, "The file to write")->required()->type_name("FILE");
    forget_ = app->add_subcommand("forget", "Forget entries");
    auto* what = forget_->add_option_group("what");
    what->add_flag("--all", forgetsAll_, "All of them, and all that is kept of points");
    what->add_flag("--kept", forgetsPoints_,
                   "Density weights and point spread functions that are kept for later starts, no entry");
    what->add_flag("--foreign", foreign_, "Entries of other machines and other versions");
    what->add_option("--match", match_, "Entries whose line of 'show' contains TEXT")->type_name("TEXT");
    what->require_option(1);
    app->footer("Examples:\n  " + program + " wisdom show\n  " + program + " wisdom export lab.json\n  " +
                program + " wisdom merge a.json b.json -o lab.json\n  " + program +
                " wisdom import lab.json\n  " + program + " wisdom forget --foreign");
  }

  void declare(JobFiles& files) const override {
    const bool imports = import_->parsed();
    for (const std::string& file : files_) files.reads(file);
    if (imports) files.reads(target_);
    if (!merge_->parsed()) files.keeps(wisdomFile());
    if (!imports) files.writes(target_);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    if (merge_->parsed()) return merge(context);
    Wisdom wisdom(wisdomFile());
    if (show_->parsed()) return show(context, wisdom);
    if (forget_->parsed()) return forget(context, wisdom);
    if (export_->parsed())
      context.say(std::to_string(wisdom.exportTo(target_)) + " entries written to " + target_);
    else
      context.say(mergeText(wisdom.import(target_, WisdomRule::theirs, context.progress)));
    warn(context, wisdom);
  }

 private:
  static std::map<std::string, std::int64_t> machinesOf(const WisdomEntries& entries) {
    std::map<std::string, std::int64_t> machines;
    for (const auto& [key, value] : entries)
      if (const auto candidate = wisdomCandidate(value))
        ++machines[describeWisdom(key, *candidate, {}).machine];
    return machines;
  }

  fs::path wisdomFile() const { return file_.empty() ? Wisdom::defaultFile() : fs::path(file_); }

  KeptValues keptBeside() const { return KeptValues(KeptValues::folderBeside(wisdomFile())); }

  void addFile(CLI::App& command, const std::string& help) {
    command.add_option("FILE", target_, help)->required()->type_name("FILE");
  }

  static void warn(CommandContext& context, const Wisdom& wisdom) {
    if (!wisdom.warning().empty()) context.say(wisdom.warning());
  }

  static std::vector<WisdomLine> lines(CommandContext& context, const Wisdom& wisdom) {
    const std::vector<Backend*> all = context.backends().all();
    return wisdom.list(Wisdom::fingerprintsOf(std::vector<NufftBackend*>(all.begin(), all.end())));
  }

  static std::string textOf(const WisdomLine& line) {
    return line.problem + ": " + line.plan + ", " + secondsText(line.seconds) +
           (line.here ? "" : "  [" + (line.machine.empty() ? "unknown machine" : line.machine) + ']');
  }

  void show(CommandContext& context, const Wisdom& wisdom) {
    nlohmann::json entries = nlohmann::json::array();
    for (const WisdomLine& line : lines(context, wisdom)) {
      context.say(textOf(line));
      entries.push_back({{"problem", line.problem},
                         {"plan", line.plan},
                         {"seconds", line.seconds},
                         {"machine", line.machine},
                         {"here", line.here}});
    }
    context.say(countText(std::int64_t(entries.size()), "entry", "entries"));
    const std::vector<KeptItem> keptItems = keptBeside().list();
    double bytes = 0;
    for (const KeptItem& item : keptItems) {
      context.say("kept: " + item.what + ", took " + secondsText(item.seconds) + ", " +
                  bytesText(double(item.bytes)));
      bytes += double(item.bytes);
    }
    if (!keptItems.empty())
      context.say(countText(std::int64_t(keptItems.size()), "file") + " kept, " + bytesText(bytes) + " in " +
                  keptBeside().folder().string());
    warn(context, wisdom);
    context.json(json_, {{"wisdom", entries}, {"kept", keptToJson(keptItems)}});
  }

  void forget(CommandContext& context, Wisdom& wisdom) {
    if (forgetsAll_ || forgetsPoints_) {
      const std::size_t files = keptBeside().clear();
      if (forgetsPoints_ || files > 0) context.say(countText(std::int64_t(files), "kept file") + " removed");
      if (forgetsPoints_) return;
    }
    std::size_t forgotten = wisdom.size();
    if (forgetsAll_) {
      wisdom.forget();
    } else {
      std::vector<std::string> keys;
      for (const WisdomLine& line : lines(context, wisdom))
        if (foreign_ ? !line.here : textOf(line).find(match_) != std::string::npos) keys.push_back(line.key);
      forgotten = wisdom.forget(keys);
    }
    context.say(countText(forgotten, "entry", "entries") + " forgotten");
    warn(context, wisdom);
  }

  void merge(CommandContext& context) {
    WisdomEntries all;
    for (const std::string& file : files_)
      context.say(file + ": " +
                  mergeText(mergeWisdom(all, readForeignWisdom(file, context.progress), WisdomRule::better)));
    writeWisdomFile(target_, all, WisdomUse::exported);
    context.say(countText(std::int64_t(all.size()), "entry", "entries") + " written to " + target_);
    for (const auto& [machine, count] : machinesOf(all))
      context.say(row("machine",
                      (machine.empty() ? "unknown" : machine) + ": " + countText(count, "entry", "entries")));
  }

  CLI::App *show_, *export_, *import_, *merge_, *forget_;
  std::string file_, target_, json_, match_;
  std::vector<std::string> files_;
  bool forgetsAll_ = false, foreign_ = false, forgetsPoints_ = false;
};

}  // namespace

std::unique_ptr<Command> makeWisdomCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<WisdomCommand>(parent, program);
}

}  // namespace spokelab::cli
