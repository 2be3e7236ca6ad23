#include "engine/recon/options/options.h"

#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/problem/backend_kind.h"

namespace spokelab {
namespace {

constexpr std::pair<DensityMethod, std::string_view> densityNames[] = {
    {DensityMethod::automatic, "auto"},    {DensityMethod::file, "file"},
    {DensityMethod::analytic, "analytic"}, {DensityMethod::pipeMenon, "pipe-menon"},
    {DensityMethod::voronoi, "voronoi"},   {DensityMethod::none, "none"}};
constexpr std::pair<Combination, std::string_view> combinationNames[] = {
    {Combination::rootSumSquares, "rss"}, {Combination::adaptive, "adaptive"}, {Combination::none, "none"}};
constexpr std::pair<Prewhitening, std::string_view> prewhiteningNames[] = {
    {Prewhitening::automatic, "auto"}, {Prewhitening::on, "on"}, {Prewhitening::off, "off"}};
constexpr std::pair<ErrorMeasure, std::string_view> measureNames[] = {
    {ErrorMeasure::relativeL2, "l2"}, {ErrorMeasure::worstPixel, "amplitude"}};
constexpr std::pair<Precision, std::string_view> precisionNames[] = {{Precision::single, "single"},
                                                                     {Precision::double64, "double"}};
template <class T, std::size_t n>
std::string_view nameIn(const std::pair<T, std::string_view> (&table)[n], T value) {
  for (const auto& [v, name] : table)
    if (v == value) return name;
  return table[0].second;
}

using Table = OptionTable<ReconOptions>;

const Table& table() {
  static const Table optionTable = [] {
    Table t;
    addPlanRows(t);
    addTuningRows(t);
    addReconstructionRows(t);
    addSelectionRows(t);
    addCoilRows(t);
    addSolverRows(t);
    addMapRows(t);
    addSubspaceRows(t);
    t.idleServing(OptionUse::cpu, idle::onGpu);
    t.idleServing(OptionUse::gpu, idle::onCpu);
    t.idleServing(OptionUse::normal, idle::noNormal);
    return t;
  }();
  return optionTable;
}

}  // namespace

const std::vector<OptionSpec>& reconOptionTable() {
  return table().specs();
}

std::string optionValue(const ReconOptions& options, const std::string& name) {
  return table().value(options, name);
}

void setOption(ReconOptions& options, const std::string& name, const std::string& value) {
  table().set(options, name, value);
}

std::vector<std::string> optionsServing(OptionUse use) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : reconOptionTable())
    if (spec.serves(use)) names.push_back(spec.name);
  return names;
}

std::string whyIdle(const ReconOptions& options, std::string_view name) {
  return table().whyIdle(options, name);
}

void setAccuracy(ReconOptions& options, double accuracy) {
  options.nufft.accuracy = accuracy;
  options.accuracyByNoise = false;
}

std::string_view densityName(DensityMethod method) {
  return nameIn(densityNames, method);
}
std::string_view combinationName(Combination combination) {
  return nameIn(combinationNames, combination);
}
std::string_view prewhiteningName(Prewhitening prewhitening) {
  return nameIn(prewhiteningNames, prewhitening);
}
std::string_view precisionName(Precision precision) {
  return nameIn(precisionNames, precision);
}

std::string_view errorMeasureName(ErrorMeasure measure) {
  return nameIn(measureNames, measure);
}

std::string accuracyText(const ReconOptions& options) {
  return options.accuracyByNoise ? std::string(automaticOption) : exactNumberText(options.nufft.accuracy);
}
void setAccuracyText(ReconOptions& options, const std::string& value) {
  const bool byNoise = value == automaticOption;
  const double accuracy = byNoise ? NufftOptions{}.accuracy : optionNumber(value);
  if (!(accuracy > 0))
    throw Error("Cannot use accuracy = " + value, "an error of 0 cannot be reached",
                "Use a number from 1e-14 to 0.5, or auto");
  setAccuracy(options, accuracy);
  options.accuracyByNoise = byNoise;
}

std::vector<std::string> directionChoices() {
  std::vector<std::string> directions{std::string(automaticOption)};
  for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
    directions.emplace_back(directionName(d));
  return directions;
}
std::string directionOf(const ReconOptions& options) {
  const std::optional<Direction>& direction = options.tuning.direction;
  return std::string(direction ? directionName(*direction) : automaticOption);
}
void setDirection(ReconOptions& options, const std::string& value) {
  options.tuning.direction.reset();
  if (value != automaticOption) options.tuning.direction = directionFromName(value);
}

std::vector<std::string> backendChoices() {
  return {"auto", cpuBackend, gpuBackend};
}
std::string backendOf(const ReconOptions& options) {
  return options.backend;
}
void setBackend(ReconOptions& options, const std::string& value) {
  if (value != "auto" && isPlugin(value) && !isPluginName(value))
    throw Error("Cannot use backend = " + value, "it is not one of the choices",
                "Use auto, cpu, cuda or the name of a plug-in");
  options.backend = value;
}

std::string devicesOf(const ReconOptions& options) {
  return options.devices;
}
void setDevices(ReconOptions& options, const std::string& value) {
  if (value != "all")
    numberList(value.empty() ? "," : value, 0, "Cannot use devices = " + value, "this machine");
  options.devices = value;
}

std::string preprocessingOf(const ReconOptions& options) {
  return options.keepsPreprocessing ? "keep" : "afresh";
}
void setPreprocessing(ReconOptions& options, const std::string& value) {
  options.keepsPreprocessing = value == "keep";
}

std::vector<int> selection(const std::string& text, int count, const std::string& what) {
  return numberList(text, count, "Cannot use " + what + " = " + text);
}

}  // namespace spokelab
