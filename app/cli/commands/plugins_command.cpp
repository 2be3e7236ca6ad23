// plugins: other programs' transforms that take part in tuning, and why others do not.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_probe.h"
#include "engine/nufft/plugin/spokelab_plugin.h"

namespace spokelab::cli {
namespace {

// "1-D, 2-D, 3-D; single, double; host memory, GPU memory"
std::string served(const PluginInfo& info) {
  std::vector<std::string> dims, precisions, memories;
  for (unsigned d = 0; d < 3; ++d)
    if (info.dims >> d & 1U) dims.push_back(std::to_string(d + 1) + "-D");
  if (info.precisions & SPOKELAB_PLUGIN_SINGLE) precisions.emplace_back("single");
  if (info.precisions & SPOKELAB_PLUGIN_DOUBLE) precisions.emplace_back("double");
  if (info.takesHost()) memories.emplace_back("host memory");
  if (info.takesGpu()) memories.emplace_back("GPU memory");
  return joined(dims) + "; " + joined(precisions) + "; " + joined(memories);
}

class PluginsCommand final : public Command {
 public:
  PluginsCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("plugins", "List the plug-ins: other transforms that are tuned beside ours");
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " plugins\n  " + program + " plugins --plugins ./build\n  " +
                program + " tune demo --plugins ./build --measure-error");
  }

  void declare(JobFiles& files) const override { files.writes(json_); }

  void run(CommandContext& context) override {
    const PluginPlaces places = pluginPlaces();
    const std::vector<FoundPlugin> plugins = findPlugins(places, pluginSeconds(), context.progress);
    for (const std::filesystem::path& folder : places.folders) context.say(row("folder", folder.string()));
    if (places.folders.empty()) context.say("No folder of plug-ins is looked through");
    for (const FoundPlugin& found : plugins) {
      if (!found.info) {
        context.say(found.file.filename().string() + ": refused");
        context.say(row("why", found.refused));
      } else {
        context.say(found.info->title());
        if (!found.info->summary.empty()) context.say(row("what", found.info->summary));
        context.say(row("licence", found.info->license));
        context.say(row("serves", served(*found.info)));
      }
      context.say(row("file", found.file.string()));
    }
    if (plugins.empty() && !places.folders.empty()) context.say("No plug-ins found");
    context.json(json_, {{"plugins", pluginsToJson(plugins)}});
  }

 private:
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> makePluginsCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<PluginsCommand>(parent, program);
}

}  // namespace spokelab::cli
