// The table of options of a simulated scan: feeds the command line and the window's dialog.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/options/option_table.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab {

const std::vector<OptionSpec>& simulateOptionTable();
std::string optionValue(const SimulateOptions& options, const std::string& name);
// Throws Error for an unknown name, a value out of range or not of the type.
void setOption(SimulateOptions& options, const std::string& name, const std::string& value);

// False where the option says nothing about this scan: the turns of a radial pattern, the peak of
// no field.
bool optionApplies(const SimulateOptions& options, const std::string& name);

// Throws Error where an option was changed that says nothing about this scan.
void requireApplicable(const SimulateOptions& options);

// The scan that the command line simulates by these options, as texts: a matrix of 128 where they
// name none; "preset" is a name of simulatePresets. Throws Error: as setOption and
// requireApplicable.
SimulateOptions simulateOptions(const std::map<std::string, std::string>& values);

// Options that a published study used.
struct SimulatePreset {
  std::string name;  // "multicore-1"
  std::string help;
  std::vector<std::pair<std::string, std::string>> values;  // option, value
};

// The data sets of [multicore-nufft] Table I (N, interleaves S, samples K each): for radial3d and
// gaussian, and for stack-of-spirals with S / N interleaves in each plane.
std::vector<SimulatePreset> simulatePresets(Pattern pattern);

}  // namespace spokelab
