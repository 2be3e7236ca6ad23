#include "app/cli/arguments.h"

#include <algorithm>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/options/option_rules.h"
#include "engine/scan/formats/arrays/array_name.h"
#include "engine/scan/read/files_behind.h"
#include "engine/scan/read/named/trajectory_name.h"
#include "engine/scan/read/piped_input.h"
#include "engine/scan/read/remembered_choices.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab::cli {
namespace {

namespace fs = std::filesystem;

std::string choiceList(const std::vector<std::string>& choices) {
  return '{' + joined(choices, ",") + '}';
}

std::string topicHelp() {
  std::vector<std::string> topics;
  for (const DecisionTopic& topic : decisionTopics()) topics.push_back(topic.topic);
  return "Overrule the reader, as TOPIC=CHOICE (topics: " + joined(topics, ", ") +
         "; 'info' shows the choices)";
}

// Empty if `setting` is TOPIC=CHOICE with a known topic, else the reason why not.
std::string checkSetting(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos) return "'" + setting + "' is not of the form TOPIC=CHOICE";
  const std::string topic = setting.substr(0, equals);
  std::vector<std::string> known;
  for (const DecisionTopic& t : decisionTopics()) {
    if (t.topic == topic) return {};
    known.push_back(t.topic);
  }
  return "'" + topic + "' is not a topic; use one of: " + joined(known, ", ");
}

}  // namespace

void ScanArguments::addTo(CLI::App& app, Needed needed, const std::string& name) {
  app.add_option(
         name, file_,
         "The scan (ISMRMRD, RIESLING's or fastMRI's HDF5, the JSON that describes arrays, or with "
         "--trajectory an array), '-' for an ISMRMRD stream on standard input, or 'demo' or 'demo-field' for a "
         "built-in scan")
      ->required(needed == Needed::yes);
  app.add_option("--set", settings_, topicHelp())
      ->type_name("TOPIC=CHOICE")
      ->check(CLI::Validator(checkSetting, ""))
      ->expected(1)
      ->take_all()
      ->group("Reader");
  app.add_option("--dataset", options_.dataset, "HDF5 group that holds the scan")
      ->type_name("GROUP")
      ->capture_default_str()
      ->group("Reader");
  // Only FILE takes separate files: a scan that an option names has its own trajectory.
  if (name == "FILE") addSeparateFiles(app);
  app.add_flag("--remember", remember_, "Keep what --set says for this file, wherever it is moved")
      ->group("Reader");
  app.add_flag("--forget", forget_, "Forget what was kept for this file")->group("Reader");
}

void ScanArguments::addSeparateFiles(CLI::App& app) {
  const auto addFile = [&](const char* option, fs::path& file, const char* help) {
    app.add_option(option, file, help)->type_name("FILE")->group("Reader");
  };
  addFile(
      "--trajectory", options_.separate.trajectory,
      "Trajectory of the samples, in a file of any format: .npy, .cfl, file.npz:array, file.mat:variable, "
      "file.h5:dataset, Pulseq's .seq, SPARKLING's .bin, an ISMRMRD file; or by its name, as radial:golden, "
      "koosh:golden-means or radial (the variant is found out)");
  addFile("--sample-weights", options_.separate.weights,
          "Density weights of the samples, in a separate array");
  addFile("--noise", options_.separate.noise,
          "Noise readouts, in a separate array [coil, sample] or ISMRMRD file");
}

ReadOptions ScanArguments::options() const {
  ReadOptions options = options_;
  if (!forget_) options.choices = RememberedChoices::defaultFile();
  for (const std::string& setting : settings_) {
    const auto equals = setting.find('=');
    options.overrides[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return options;
}

std::shared_ptr<const Scan> ScanArguments::read(const Progress& progress, const std::string& frames,
                                                const std::string& slices) const {
  ReadOptions options = this->options();
  if (!frames.empty()) options.overrides.try_emplace("read-frames", frames);
  if (!slices.empty()) options.overrides.try_emplace("read-slices", slices);
  progress.report(0, "Reading " + file_);
  auto scan = readScan(file_, options, progress);
  if (scan->fingerprint.empty()) return scan;
  const RememberedChoices remembered(RememberedChoices::defaultFile());
  // No choices: the file is forgotten.
  if (forget_) remembered.keep(scan->fingerprint, scan->name, {});
  if (remember_) {
    std::map<std::string, std::string> choices = remembered.find(scan->fingerprint);
    for (const auto& [topic, choice] : this->options().overrides) choices[topic] = choice;
    remembered.keep(scan->fingerprint, scan->name, choices);
  }
  return scan;
}

void ScanArguments::declare(JobFiles& files) const {
  declareScan(files, file_);
  for (const fs::path& file :
       {options_.separate.trajectory, options_.separate.weights, options_.separate.noise})
    declareInput(files, file);
}

void ReconArguments::declare(JobFiles& files) const {
  declareMaps(files, options());
  if (!noWisdom_) files.keeps(wisdomFile());
}

void ReconArguments::addOption(CLI::App& app, const OptionSpec& spec, const std::string& group) {
  if (spec.type == OptionType::flag) {
    bool& on = flags_[spec.name] = optionValue(ReconOptions{}, spec.name) == "true";
    app.add_flag("--" + spec.name + (on ? ",!--no-" + spec.name : ""), on, spec.help)->group(group);
    return;
  }
  const auto check = [name = spec.name](const std::string& value) -> std::string {
    try {
      ReconOptions scratch;
      setOption(scratch, name, value);
      return {};
    } catch (const Error& error) {
      return error.reason() + ". " + error.remedy();
    }
  };
  std::string type = "TEXT";
  if (spec.type == OptionType::choice) type = choiceList(spec.choices);
  if (spec.type == OptionType::text && !spec.choices.empty()) type = choiceList(spec.choices) + "|NAME";
  if (spec.type == OptionType::number) type = "NUMBER";
  if (spec.type == OptionType::integer) type = "INTEGER";
  CLI::Option* option = app.add_option("--" + spec.name, values_[spec.name],
                                       spec.help + (spec.unit.empty() ? "" : " (" + spec.unit + ")"));
  option->type_name(type)->group(group)->check(CLI::Validator(check, ""));
  const ReconOptions defaults;
  const std::string initial = optionValue(defaults, spec.name);
  if (!initial.empty()) option->default_str(initial);
}

void ReconArguments::addTo(CLI::App& app, Which which) {
  for (const OptionGroup& group : optionGroups())
    for (const OptionSpec& spec : group.options) {
      const OptionUse use = which == Which::type3 ? OptionUse::type3 : OptionUse::transform;
      if (which == Which::all || spec.serves(use)) addOption(app, spec, group.title);
    }
  app.add_flag("--no-wisdom", noWisdom_, "Tune afresh: neither use nor keep results of earlier tuning")
      ->group("Plan");
  app.add_option("--wisdom", wisdomFile_, "File of earlier tuning")
      ->type_name("FILE")
      ->default_str(Wisdom::defaultFile().string())
      ->group("Plan");
}

ReconOptions ReconArguments::options() const {
  ReconOptions options;
  for (const auto& [name, value] : values_)
    if (!value.empty()) setOption(options, name, value);
  for (const auto& [name, value] : flags_) setOption(options, name, value ? "true" : "false");
  return options;
}

fs::path ReconArguments::wisdomFile() const {
  return wisdomFile_.empty() ? Wisdom::defaultFile() : fs::path(wisdomFile_);
}

Wisdom* ReconArguments::wisdom() {
  if (noWisdom_) return nullptr;
  if (!wisdom_) wisdom_ = std::make_unique<Wisdom>(wisdomFile());
  return wisdom_.get();
}

void addDevices(CLI::App& app, std::string& devices) {
  app.add_option("--devices", devices,
                 "GPUs that share the cases, as in 0,2 or all; with several --backend names the GPUs alone")
      ->type_name("LIST")
      ->capture_default_str();
}

void addJson(CLI::App& app, std::string& file) {
  app.add_option("--json", file, "Write the numbers as JSON to FILE; '-': to stdout, instead of the words")
      ->type_name("FILE")
      ->group("Output");
}

void declareInput(JobFiles& files, const fs::path& name) {
  if (name.empty() || isTrajectoryName(name)) return;
  for (const fs::path& file : filesBehind(name)) files.reads(file);
}

void declareScan(JobFiles& files, const fs::path& scan) {
  if (!isBuiltIn(scan.string()) && !isPipe(scan)) declareInput(files, scan);
}

void declareMaps(JobFiles& files, const ReconOptions& options) {
  const IterativeOptions& o = options.iterative;
  for (const std::string& maps : {o.decayMap, o.coilMaps, o.phaseMaps}) declareInput(files, maps);
  if (!isFoundField(o.fieldMap)) declareInput(files, o.fieldMap);
  const FieldImages images = fieldImages(o.fieldMap);
  for (const std::string& image : images.echoes) declareInput(files, image);
  if (!images.magnitude.empty()) declareInput(files, images.magnitude);
  if (!o.subspace.basis.empty()) declareInput(files, parseArrayName(o.subspace.basis).file);
}

}  // namespace spokelab::cli
