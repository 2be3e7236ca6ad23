#include "app/gui/session/python_text.h"

#include <vector>

#include "engine/core/error.h"
#include "engine/recon/options/option_rules.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Names with hyphens have underscores; a word of Python has one more at its end.
std::string keyword(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name == "lambda" ? name + '_' : name;
}

std::string literal(const OptionSpec& spec, const std::string& value) {
  if (spec.type == OptionType::flag) return value == "true" ? "True" : "False";
  const bool isNumber = spec.type == OptionType::number || spec.type == OptionType::integer;
  return isNumber && value != automaticOption ? value : quoted(value);
}

std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  std::string text = function + '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + arguments[i];
  return text + ")\n";
}

std::string argument(const OptionSpec& spec, const std::string& value) {
  return keyword(spec.name) + '=' + literal(spec, value);
}

}  // namespace

std::string pythonScan(const Scan& scan, const ReadOptions& reading,
                       const std::map<std::string, std::string>& simulation) {
  if (!reading.separate.empty())
    throw Error("Cannot copy as Python", "the samples' trajectory, weights or noise are separate files",
                "Copy as command line, or save the scan as one file first");
  std::vector<std::string> arguments;
  if (!simulation.empty()) {
    const SimulateOptions options = simulateOptions(simulation), defaults = simulateOptions({});
    for (const OptionSpec& spec : simulateOptionTable())
      if (const std::string value = optionValue(options, spec.name);
          value != optionValue(defaults, spec.name) && optionApplies(options, spec.name))
        arguments.push_back(argument(spec, value));
    return "scan = " + call("spokelab.simulate", arguments);
  }
  arguments.push_back(quoted(scan.path.empty() ? scan.name : scan.path));
  if (!reading.overrides.empty()) {
    std::string choices = "choices={";
    for (const auto& [topic, choice] : reading.overrides)
      choices += (choices.back() == '{' ? "" : ", ") + quoted(topic) + ": " + quoted(choice);
    arguments.push_back(choices + '}');
  }
  return "scan = " + call("spokelab.read_scan", arguments);
}

std::string pythonReconstruct(const ReconOptions& options, const std::string& file) {
  std::vector<std::string> arguments = {"scan"};
  for (const auto& [spec, value] : changedOptions(options)) arguments.push_back(argument(*spec, value));
  return "result = " + call("spokelab.reconstruct", arguments) + "result.write(" + quoted(file) + ")\n";
}

std::string pythonFor(const Scan& scan, const ReadOptions& reading,
                      const std::map<std::string, std::string>& simulation, const ReconOptions& options) {
  return "import spokelab\n\n" + pythonScan(scan, reading, simulation) +
         pythonReconstruct(options, "image.nii.gz") + "image = result.values  # (frame, z, y, x)\n";
}

}  // namespace spokelab
