#include "app/gui/session/command_text.h"

#include "engine/core/text.h"
#include "engine/scan/scan.h"

namespace spokelab {

std::string commandFor(const std::string& verb, const Scan& scan,
                       const std::map<std::string, std::string>& overrides, const ReconOptions& options,
                       const std::vector<std::string>& more) {
  std::string line = "spokelab " + verb + " " + shellWord(scan.path.empty() ? scan.name : scan.path);
  for (const std::string& word : more) line += ' ' + shellWord(word);
  for (const auto& [topic, choice] : overrides) line += " --set " + shellWord(topic + '=' + choice);
  const ReconOptions defaults;
  for (const OptionSpec& spec : reconOptionTable()) {
    const std::string value = optionValue(options, spec.name);
    if (value == optionValue(defaults, spec.name)) continue;
    line += " --" + spec.name;
    if (spec.type != OptionType::flag) line += ' ' + shellWord(value);
  }
  return line;
}

std::string commandLineFor(const Scan& scan, const std::map<std::string, std::string>& overrides,
                           const ReconOptions& options) {
  return commandFor("reconstruct", scan, overrides, options, {"-o", "image.nii.gz"});
}

std::vector<std::string> spreadArguments(const ReconOptions& options) {
  return {"--methods", std::string(densityName(options.density)), "--psf", "psf.nii.gz"};
}

}  // namespace spokelab
