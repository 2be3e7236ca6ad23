// simulate: a scan of an analytic phantom, as ISMRMRD HDF5, and the truth behind it.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/echo_train.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab::cli {
namespace {

const std::vector<std::pair<std::string, TruthKind>>& truthNames() {
  static const std::vector<std::pair<std::string, TruthKind>> names = {
      {"points", TruthKind::points}, {"band", TruthKind::band}, {"ball", TruthKind::ball}};
  return names;
}

std::vector<std::string> presetNames() {
  std::vector<std::string> names;
  for (const SimulatePreset& preset : simulatePresets(Pattern::radial3d)) names.push_back(preset.name);
  return names;
}

// The scan's array [map, z, y, x] as an image: a map a frame.
Image mapImage(const Scan& scan, std::string_view name) {
  Image image = nominalImage(scan.geometry.matrix, std::string(name));
  for (const NamedArray& array : scan.arrays)
    if (array.name == name) {
      image.frames = int(array.shape.front());
      image.data = array.values;
    }
  return image;
}

class SimulateCommand final : public Command {
 public:
  SimulateCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("simulate", "Make a scan of an analytic phantom");
    app->add_option("-o,--output", output_, "The scan to write (ISMRMRD HDF5)")
        ->type_name("FILE.h5")
        ->required();
    addOptions();
    app->add_option(
           "--preset", preset_,
           "Sizes of a published study, for radial3d, gaussian and stack-of-spirals (multicore-nufft, "
           "Table I)")
        ->type_name('{' + joined(presetNames(), ",") + '}')
        ->check(CLI::IsMember(presetNames()).description(""))
        ->group("Trajectory");
    app->add_flag("--weights", weights_,
                  "Write the pattern's own density weights as a further trajectory dimension")
        ->group("Output");
    app->add_option("--truth", truth_, "Also write the true image (.nii.gz, .nii, .h5, .npy, .cfl or .png)")
        ->type_name("FILE")
        ->group("Output");
    app->add_option("--truth-kind", truthKind_,
                    "points: the phantom at the pixels' centres; band: as the matrix resolves it; ball: as a "
                    "pattern without the corners of k-space does; auto: band or ball, as the pattern has "
                    "corners or not")
        ->type_name("{auto,points,band,ball}")
        ->check(CLI::IsMember({"auto", "points", "band", "ball"}).description(""))
        ->capture_default_str()
        ->group("Output");
    app->add_option("--field-file", field_, "Also write the field map in rad/s, as an image")
        ->type_name("FILE")
        ->group("Output");
    app->add_option("--phase-file", phases_,
                    "Also write the shots' phases in rad, as an image of a frame a shot")
        ->type_name("FILE")
        ->group("Output");
    addJson(*app, json_);
    app->footer(
        "Examples:\n  " + program +
        " simulate -o radial.h5 --matrix 256 --samples 512 --coils 8 --truth truth.nii.gz\n  " + program +
        " simulate -o stars.h5 --pattern stack-of-stars --matrix 128x128x32 --acceleration 2 --noise 0.01\n "
        " " +
        program +
        " simulate -o spiral.h5 --pattern spiral --field head --field-peak 120 --field-file f.nii.gz\n  " +
        program + " simulate -o echoes.h5 --field head --field-peak 120 --echo-times 2,4.3,6.6 --decay 30");
  }

  void declare(JobFiles& files) const override {
    files.writes(output_, OutputKind::rawData);
    files.writes(json_);
    for (const std::string& image : {truth_, field_, phases_})
      for (const std::filesystem::path& file : filesOfImage(image)) files.writes(file);
  }

  void run(CommandContext& context) override {
    const SimulateOptions options = this->options();
    const Index3 matrix = resolvedMatrix(options.trajectory);
    if (!phases_.empty() && options.shotPhase == 0)
      throw Error("Cannot write the shots' phases", "the shots have none",
                  "Give --shot-phase, or leave --phase-file out");
    constexpr double simulateShare = 0.7, writeShare = 0.9;
    const auto scan = simulate(options, context.progress.part(0, simulateShare));
    if (weights_ && scan->trajectories.front().weights.empty())
      throw Error("Cannot write density weights",
                  "a " + patternName(options.trajectory.pattern) + " pattern has none in closed form",
                  "Leave --weights out");
    writeScan(*scan, output_, context.progress.part(simulateShare, writeShare), weights_);
    const Trajectory& t = scan->trajectories.front();
    context.say(output_ + ": " + scan->name + ", " + sizeText(matrix, scan->dims(), " x ") + ", " +
                countText(t.shots(), "shot") + ", " + std::to_string(t.samples()) + " samples, " +
                countText(scan->coils, "coil") + ", " + countText(scan->frames, "frame"));
    writeTruth(context, options, *scan, context.progress.part(writeShare, 1));
    nlohmann::json asked;
    for (const OptionSpec& spec : simulateOptionTable())
      if (optionApplies(options, spec.name)) asked[spec.name] = optionValue(options, spec.name);
    context.json(json_, {{"output", output_}, {"options", asked}, {"scan", toJson(*scan)}});
  }

 private:
  // The way from a reconstruction to the maps that acted.
  void sayMaps(CommandContext& context, const SimulateOptions& options) const {
    const auto hint = [&](const char* title, const std::string& maps, const std::string& file,
                          const std::string& option, const std::string& use) {
      context.say(row(title, file.empty() ? "the scan's file does not hold the " + maps + ": use " + option
                                          : "reconstruct with " + use + shellWord(file)));
    };
    const bool pcSense = options.shotPhase > 0;
    const std::string method = std::string("--method ") + (pcSense ? "pcsense" : "sense");
    if (options.offResonance.shape != FieldShape::none && options.offResonance.peakHz != 0)
      hint("field", "field map", field_, "--field-file", method + " --field-map ");
    if (options.offResonance.acts() && options.echoTimes.size() > 1)
      context.say(row("", "or find the field with --field-map echoes"));
    if (pcSense) hint("phases", "shots' phases", phases_, "--phase-file", method + " --phase-maps ");
  }

  void addOptions() {
    for (const OptionSpec& spec : simulateOptionTable()) {
      const auto check = [name = spec.name](const std::string& value) -> std::string {
        try {
          SimulateOptions scratch;
          setOption(scratch, name, value);
          return {};
        } catch (const Error& error) {
          return error.reason() + ". " + error.remedy();
        }
      };
      std::string type = spec.type == OptionType::number    ? "NUMBER"
                         : spec.type == OptionType::integer ? "INTEGER"
                         : spec.name == "echo-times"        ? "LIST"
                                                            : "SIZE";
      if (spec.type == OptionType::choice) type = '{' + joined(spec.choices, ",") + '}';
      app->add_option("--" + spec.name, values_[spec.name],
                      spec.help + (spec.unit.empty() ? "" : " (" + spec.unit + ")"))
          ->type_name(type)
          ->group(spec.group)
          ->check(CLI::Validator(check, ""))
          ->default_str(spec.name == "matrix" ? "128" : optionValue(SimulateOptions{}, spec.name));
    }
  }

  SimulateOptions options() const {
    std::map<std::string, std::string> chosenOptions;
    for (const auto& [name, value] : values_)
      if (!value.empty()) chosenOptions[name] = value;
    if (!preset_.empty()) chosenOptions["preset"] = preset_;
    return simulateOptions(chosenOptions);
  }

  void writeTruth(CommandContext& context, const SimulateOptions& options, const Scan& scan,
                  const Progress& progress) const {
    const auto write = [&](Image image, const std::string& file, ComplexPart part) {
      image.geometry = scan.geometry;
      WriteOptions writeOptions;
      writeOptions.part = part;
      writeImage(image, file, writeOptions, progress);
      context.say(row("written", file));
    };
    if (!truth_.empty()) {
      TruthKind kind = fairTruth(options.trajectory.pattern);
      for (const auto& [name, value] : truthNames())
        if (name == truthKind_) kind = value;
      write(simulatedTruth(options, scan.geometry.matrix, scan.dims(), kind, progress), truth_,
            ComplexPart::complex);
    }
    if (!field_.empty())
      write(fieldImage(options.offResonance, scan.geometry.matrix), field_, ComplexPart::real);
    if (options.shotPhase > 0 && !phases_.empty())
      write(mapImage(scan, "PhaseMaps"), phases_, ComplexPart::real);
    sayMaps(context, options);
  }

  std::map<std::string, std::string> values_;
  std::string output_, preset_, truth_, truthKind_ = "auto", field_, phases_, json_;
  bool weights_ = false;
};

}  // namespace

std::unique_ptr<Command> makeSimulateCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<SimulateCommand>(parent, program);
}

}  // namespace spokelab::cli
