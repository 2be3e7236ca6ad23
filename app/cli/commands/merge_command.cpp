// merge: the shares of a sweep, study or suite as one document.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/text.h"
#include "engine/profile/shards/merge_shards.h"

namespace spokelab::cli {
namespace {

class MergeCommand final : public Command {
 public:
  MergeCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("merge", "Put the shares of a sweep, study or suite together (--shard)");
    app->add_option("FILE", files_, "Results of the shares (JSON)")->type_name("")->required();
    app->add_option("-o,--output", output_, "Write the whole to FILE (JSON)")->type_name("FILE")->required();
    addCsv(*app, csv_);
    app->add_flag("--incomplete", incomplete_, "Write what there is, even where cases are missing");
    app->footer(
        "Exit code 1: cases are missing; they are named, with the commands that run only these.\nExamples:\n "
        " " +
        program +
        " merge sweep.1-of-4.json sweep.2-of-4.json sweep.3-of-4.json sweep.4-of-4.json -o sweep.json\n  " +
        program + " merge ours/results.*-of-16.json -o ours.json --csv ours.csv");
  }

  void declare(JobFiles& files) const override {
    for (const std::string& file : files_) files.reads(file);
    files.writes(output_);
    files.writes(csv_);
  }

  void run(CommandContext& context) override {
    std::vector<ShardDocument> documents;
    for (const std::string& file : files_)
      documents.push_back({file, parseDocument(readDocument(file, context.progress), "Cannot read " + file,
                                               "Name the files that --shard wrote")});
    const MergedShards merged = mergeShards(documents);
    const std::size_t there = merged.cases - merged.missing.size();
    context.say(merged.command + ": " + std::to_string(there) + " of " +
                countText(std::int64_t(merged.cases), "case"));
    context.say(row("machines", joined(merged.machines)));
    for (const std::string& name : merged.missing) context.say(row("missing", name));
    for (const std::string& command : merged.commands) context.say(row("to run", command));
    if (merged.missing.empty() || incomplete_) {
      if (!csv_.empty()) writeFileAtomically(csv_, merged.csv);
      context.json(output_, merged.document);
      context.say(row("written", output_));
    }
    if (!merged.missing.empty())
      context.fail(countText(std::int64_t(merged.missing.size()), "case") +
                   (merged.missing.size() == 1 ? " is missing" : " are missing"));
  }

 private:
  std::vector<std::string> files_;
  std::string output_, csv_;
  bool incomplete_ = false;
};

}  // namespace

std::unique_ptr<Command> makeMergeCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<MergeCommand>(parent, program);
}

}  // namespace spokelab::cli
