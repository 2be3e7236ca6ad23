// help: what the program or one of its commands does; the same as --help behind it.
#include "app/cli/commands/command_list.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

class HelpCommand final : public Command {
 public:
  HelpCommand(CLI::App& parent, const std::string& program) : program_(program) {
    app = parent.add_subcommand("help", "Show the help of a command");
    app->add_option("COMMAND", words_, "The command, as in: help wisdom merge")->type_name("");
    app->footer("Examples:\n  " + program + " help\n  " + program + " help reconstruct");
  }

  void declare(JobFiles&) const override {}

  void run(CommandContext& context) override {
    const CLI::App* asked = app->get_parent();
    std::string name = program_;
    for (const std::string& word : words_) {
      std::vector<std::string> known;
      const CLI::App* next = nullptr;
      for (const CLI::App* command : asked->get_subcommands({})) {
        known.push_back(command->get_name());
        if (command->get_name() == word) next = command;
      }
      if (!next)
        throw Error("Cannot show the help of " + word, "no command of " + name + " has that name",
                    didYouMean(word, known) + "See '" + name + " --help'");
      asked = next;
      name += ' ' + word;
    }
    context.quiet = false;
    context.say(asked->get_formatter()->make_help(asked, name, CLI::AppFormatMode::Normal));
  }

 private:
  std::string program_;
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> makeHelpCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<HelpCommand>(parent, program);
}

}  // namespace spokelab::cli
