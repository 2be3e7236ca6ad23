// manual: the page of the program or of a command for man(1).
#include "app/cli/commands/command_list.h"
#include "app/cli/usage/manual_page.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

class ManualCommand final : public Command {
 public:
  ManualCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("manual", "Print a page for man");
    app->add_option("PAGE", page_, "The page's name, as " + program + "-tune; without it the program's")
        ->type_name("");
    app->add_flag("--pages", list_, "Name all pages instead");
    app->footer("Examples:\n  " + program + " manual " + program + "-reconstruct | man -l -\n  " + program +
                " manual --pages");
  }

  void declare(JobFiles&) const override {}

  void run(CommandContext& context) override {
    const std::string& program = app->get_parent()->get_name();
    const UsageCommand root = usageTree(*app->get_parent());
    std::vector<std::string> names;
    for (const UsageCommand* command : allCommands(root)) {
      names.push_back(manualName(program, *command));
      if (list_) context.say(names.back());
      if (!list_ && names.back() == (page_.empty() ? program : page_))
        return context.say(manualPage(program, *command));
    }
    if (!list_)
      throw Error("Cannot show the page " + page_, "no page has that name",
                  didYouMean(page_, names) + "See '" + program + " manual --pages'");
  }

 private:
  std::string page_;
  bool list_ = false;
};

}  // namespace

std::unique_ptr<Command> makeManualCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<ManualCommand>(parent, program);
}

}  // namespace spokelab::cli
