// A simulated scan with the truth behind it.
#pragma once

#include <QString>

#include <map>
#include <memory>
#include <string>

#include "engine/core/progress.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {

struct Reconstruction;
struct Scan;

struct SimulatedScan {
  std::shared_ptr<const Scan> scan;
  // The phantom as the scan's matrix resolves it; null: not asked for.
  std::shared_ptr<const Reconstruction> truth;
};

SimulatedScan simulateScan(const SimulateOptions& options, bool truth, const Progress& progress);
// The options by name, to simulate the same scan again.
std::map<std::string, std::string> simulationOf(const SimulateOptions& options);
// The command line: the options that differ from their defaults.
QString simulateCommand(const SimulateOptions& options);

}  // namespace spokelab
