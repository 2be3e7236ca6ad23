// completion: the script by which a shell completes commands, options and choices.
#include <array>
#include <utility>

#include "app/cli/commands/command_list.h"
#include "app/cli/usage/completion.h"

namespace spokelab::cli {
namespace {

constexpr std::array shells = {std::pair{"bash", Shell::bash}, std::pair{"zsh", Shell::zsh},
                               std::pair{"fish", Shell::fish}};

class CompletionCommand final : public Command {
 public:
  CompletionCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("completion", "Print the script that completes commands in a shell");
    std::vector<std::string> names;
    names.reserve(shells.size());
    for (const auto& [name, shell] : shells) names.emplace_back(name);
    app->add_option("SHELL", shell_, "The shell")
        ->required()
        ->type_name("{bash,zsh,fish}")
        ->check(CLI::IsMember(names).description(""));
    app->footer("Examples:\n  source <(" + program + " completion bash)\n  " + program +
                " completion fish > ~/.config/fish/completions/" + program + ".fish");
  }

  void declare(JobFiles&) const override {}

  void run(CommandContext& context) override {
    const CLI::App& root = *app->get_parent();
    for (const auto& [name, shell] : shells)
      if (shell_ == name) context.say(completionScript(shell, root.get_name(), usageTree(root)));
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> makeCompletionCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<CompletionCommand>(parent, program);
}

}  // namespace spokelab::cli
