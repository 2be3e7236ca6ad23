// Command lines that repeat the window's work: for the list of jobs, for reports, and to copy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/recon/options/options.h"

namespace spokelab {

struct ReadOptions;
struct Scan;

// "spokelab sweep scan.h5 --csv sweep.csv --set k-unit=... --accuracy 1e-3": the command, the scan,
// `more`, the decisions that were overridden, the files that belong to its samples, and the options
// that differ from their defaults.
std::string commandFor(const std::string& verb, const Scan& scan, const ReadOptions& reading,
                       const ReconOptions& options, const std::vector<std::string>& more = {});

// The same as words, without the program: {"sweep", "scan.h5", "--csv", ...}.
std::vector<std::string> commandWords(const std::string& verb, const Scan& scan, const ReadOptions& reading,
                                      const ReconOptions& options, const std::vector<std::string>& more = {});

// "spokelab simulate --pattern spiral -o scan.h5": the options by name that differ from the
// command's defaults. The other commands name a scan that was simulated scan.h5.
std::string simulateCommand(const std::map<std::string, std::string>& simulation);

// "spokelab reconstruct scan.h5 -o image.nii.gz ...": commandFor() of a reconstruction.
std::string commandLineFor(const Scan& scan, const ReadOptions& reading, const ReconOptions& options);

// The arguments with which the command density writes the point spread function of these weights.
std::vector<std::string> spreadArguments(const ReconOptions& options);

}  // namespace spokelab
