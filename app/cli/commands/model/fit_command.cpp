// fit: gradient delays and a field of low order, fitted to the samples of a scan.
#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/fit/model_fit.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

class FitCommand final : public Command {
 public:
  FitCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("fit", "Fit gradient delays and a field of low order to the samples");
    scan_.addTo(*app);
    app->add_option("--unknowns", unknowns_, "Unknowns to fit: delays, field, or both; delays without it")
        ->delimiter(',')
        ->type_name("NAME,...");
    app->add_option("--field-order", order_, "Order of the field's polynomial in x, y (and z): 0, 1 or 2")
        ->check(CLI::Range(0, 2))
        ->type_name("N");
    app->add_option("--fit-matrix", matrix_, "Pixels along an axis of the image that is fitted")
        ->check(CLI::Range(8, 256))
        ->type_name("N");
    app->add_option("-o,--output", field_, "Write the fitted field, in the unit that --field-unit names")
        ->type_name("FILE")
        ->group("Output");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " fit radial.h5\n  " + program +
                " fit spiral.h5 --unknowns delays,field --field-order 1 -o field.nii.gz");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    for (const std::filesystem::path& file : filesOfImage(field_)) files.writes(file);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.1, fitShare = 0.95;
    const ReconOptions options = recon_.options();
    const ModelUnknowns unknowns = wanted();
    const auto scan = scan_.read(context.progress.part(0, readShare));
    const ModelFit fit = fitModel(*scan, options, unknowns, context.progress.part(readShare, fitShare));
    context.say(scan->name);
    for (const std::string& note : fit.notes) context.say(row("", note));
    nlohmann::json values = nlohmann::json::array();
    for (const FittedValue& v : fit.values) {
      context.say(row(v.name, valueText(v, "+-")));
      values.push_back({{"name", v.name},
                        {"unit", v.unit},
                        {"value", v.value},
                        {"deviation", v.deviation},
                        {"told", v.told}});
    }
    context.say(row("inconsistency", numberText(fit.before, 4) + " before, " + numberText(fit.after, 4) +
                                         " after, of the samples' norm"));
    std::string use;
    nlohmann::json choices = nlohmann::json::object();
    for (const auto& [topic, choice] : readChoices(fit, scan->dims())) {
      if (!use.empty()) use += ' ';
      use.append("--set ").append(topic).append("=").append(choice);
      choices[topic] = choice;
    }
    if (fit.field && !field_.empty()) write(*fit.field, options, use, context.progress.part(fitShare, 1));
    if (!use.empty()) context.say(row("use", "reconstruct with " + use));
    context.json(json_, {{"scan", toJson(*scan)},
                         {"fit",
                          {{"values", values},
                           {"before", fit.before},
                           {"after", fit.after},
                           {"iterations", fit.iterations},
                           {"choices", choices},
                           {"notes", fit.notes}}}});
  }

 private:
  ModelUnknowns wanted() const {
    ModelUnknowns u;
    u.matrix = matrix_;
    if (unknowns_.empty()) return u;
    const auto has = [&](const char* name) {
      return std::find(unknowns_.begin(), unknowns_.end(), name) != unknowns_.end();
    };
    for (const std::string& name : unknowns_)
      if (name != "delays" && name != "field")
        throw Error("Cannot fit the scan's model", "there is no unknown called \"" + name + "\"",
                    "Use delays or field, with a comma between them");
    u.delays = has("delays");
    if (has("field")) u.fieldOrder = order_;
    return u;
  }

  void write(const Image& field, const ReconOptions& options, std::string& use,
             const Progress& progress) const {
    const bool hertz = options.iterative.fieldUnit == FieldUnit::hertz;
    Image scaled = field;
    constexpr double turn = 6.283185307179586;
    if (hertz)
      for (cfloat& v : scaled.data) v /= float(turn);
    WriteOptions real;
    real.part = ComplexPart::real;
    writeImage(scaled, field_, real, progress);
    use += std::string(use.empty() ? "" : " ") + "--method sense --field-map " + shellWord(field_) +
           (hertz ? " --field-unit Hz" : "");
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::vector<std::string> unknowns_;
  int order_ = 1;
  std::int64_t matrix_ = ModelUnknowns{}.matrix;
  std::string field_, json_;
};

}  // namespace

std::unique_ptr<Command> makeFitCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<FitCommand>(parent, program);
}

}  // namespace spokelab::cli
