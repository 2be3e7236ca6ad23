#include "app/gui/session/command_text.h"

#include <utility>

#include "engine/core/text.h"
#include "engine/recon/options/option_rules.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {

namespace {

constexpr const char* simulatedFile = "scan.h5";

std::string fileOf(const Scan& scan) {
  if (!scan.path.empty()) return scan.path;
  return isBuiltIn(scan.name) ? scan.name : simulatedFile;
}

}  // namespace

std::string simulateCommand(const std::map<std::string, std::string>& simulation) {
  const SimulateOptions options = simulateOptions(simulation), defaults = simulateOptions({});
  std::string line = "spokelab simulate";
  for (const OptionSpec& spec : simulateOptionTable()) {
    const std::string value = optionValue(options, spec.name);
    if (value == optionValue(defaults, spec.name) || !optionApplies(options, spec.name)) continue;
    line += " --" + spec.name;
    if (spec.type != OptionType::flag) line += ' ' + shellWord(value);
  }
  return line + " -o " + simulatedFile;
}

std::vector<std::string> commandWords(const std::string& verb, const Scan& scan, const ReadOptions& reading,
                                      const ReconOptions& options, const std::vector<std::string>& more) {
  std::vector<std::string> words{verb, fileOf(scan)};
  words.insert(words.end(), more.begin(), more.end());
  const SeparateFiles& separate = reading.separate;
  for (const auto& [option, file] :
       {std::pair("--trajectory", &separate.trajectory), std::pair("--sample-weights", &separate.weights),
        std::pair("--noise", &separate.noise)})
    if (!file->empty()) words.insert(words.end(), {option, file->string()});
  for (const auto& [topic, choice] : reading.overrides)
    words.insert(words.end(), {"--set", topic + '=' + choice});
  for (const auto& [spec, value] : changedOptions(options)) {
    const bool isFlag = spec->type == OptionType::flag;
    words.push_back((isFlag && value == "false" ? "--no-" : "--") + spec->name);
    if (!isFlag) words.push_back(value);
  }
  return words;
}

std::string commandFor(const std::string& verb, const Scan& scan, const ReadOptions& reading,
                       const ReconOptions& options, const std::vector<std::string>& more) {
  std::string line = "spokelab";
  for (const std::string& word : commandWords(verb, scan, reading, options, more))
    line += ' ' + shellWord(word);
  return line;
}

std::string commandLineFor(const Scan& scan, const ReadOptions& reading, const ReconOptions& options) {
  return commandFor("reconstruct", scan, reading, options, {"-o", "image.nii.gz"});
}

std::vector<std::string> spreadArguments(const ReconOptions& options) {
  return {"--methods", std::string(densityName(options.density)), "--psf", "psf.nii.gz"};
}

}  // namespace spokelab
