#include "app/gui/session/c_text.h"

#include <vector>

#include "engine/core/error.h"
#include "engine/recon/options/option_rules.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {
namespace {

constexpr const char* programBegin = R"(#include <spokelab.h>

#include <stdio.h>
#include <stdlib.h>

static void check(spokelab_status status) {
  if (status == SPOKELAB_OK) return;
  fprintf(stderr, "%s\n", spokelab_error_text());
  exit(EXIT_FAILURE);
}

int main(void) {
  spokelab_context* context = NULL;
  spokelab_scan* scan = NULL;
  spokelab_options* options = NULL;
  spokelab_image* image = NULL;
  check(spokelab_context_create("", &context));
  check(spokelab_options_create(&options));
)";

constexpr const char* programEnd =
    R"(  check(spokelab_reconstruct(context, scan, options, NULL, NULL, &image));
  check(spokelab_image_write(image, "image.nii.gz"));
  spokelab_image_destroy(image);
  spokelab_options_destroy(options);
  spokelab_scan_destroy(scan);
  spokelab_context_destroy(context);
  return EXIT_SUCCESS;
}
)";

std::string cLiteral(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\' || c == '?') out += '\\';  // two question marks may begin a trigraph
    out += c;
  }
  return out + '"';
}

// The texts of an argument, declared before the call; none: NULL.
std::string texts(const char* name, const std::vector<std::string>& values) {
  if (values.empty()) return {};
  std::string out = std::string("  const char* ") + name + "[] = {";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + cLiteral(values[i]);
  return out + "};\n";
}

std::string argument(const char* name, const std::vector<std::string>& values) {
  return values.empty() ? "NULL, 0" : std::string(name) + ", " + std::to_string(values.size());
}

}  // namespace

std::string cFor(const Scan& scan, const ReadOptions& reading,
                 const std::map<std::string, std::string>& simulation, const ReconOptions& options) {
  if (!reading.separate.empty())
    throw Error("Cannot copy as C", "the samples' trajectory, weights or noise are separate files",
                "Copy as command line, or save the scan as one file first");
  std::string text = programBegin;
  std::vector<std::string> values;
  if (!simulation.empty()) {
    const SimulateOptions made = simulateOptions(simulation), defaults = simulateOptions({});
    for (const OptionSpec& spec : simulateOptionTable())
      if (const std::string value = optionValue(made, spec.name);
          value != optionValue(defaults, spec.name) && optionApplies(made, spec.name))
        values.push_back(spec.name + '=' + value);
    text += texts("simulated", values) + "  check(spokelab_scan_simulate(" + argument("simulated", values) +
            ", NULL, NULL, &scan, NULL));\n";
  } else {
    for (const auto& [topic, choice] : reading.overrides) values.push_back(topic + '=' + choice);
    text += texts("choices", values) + "  check(spokelab_scan_read(" +
            cLiteral(scan.path.empty() ? scan.name : scan.path) + ", " + argument("choices", values) +
            ", NULL, NULL, &scan));\n";
  }
  for (const auto& [spec, value] : changedOptions(options))
    text +=
        "  check(spokelab_options_set(options, " + cLiteral(spec->name) + ", " + cLiteral(value) + "));\n";
  return text + programEnd;
}

}  // namespace spokelab
