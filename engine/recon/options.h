// What a reconstruction is asked to do, and the one table of options that feeds the command line, the
// parameter panel, reports and sessions.
#pragma once

#include <string>
#include <vector>

#include "engine/nufft/options.h"
#include "engine/nufft/problem.h"
#include "engine/nufft/tune.h"

namespace spokelab {

enum class DensityMethod { automatic, file, analytic, pipeMenon, none };
enum class Combination { rootSumSquares, none };

struct ReconOptions {
  NufftOptions nufft;                          // accuracy, alpha, width, kernel, methods, threads, memory
  Precision precision = Precision::single;
  TuneEffort effort = TuneEffort::measure;
  std::string backend = "auto";                // "auto", "cpu", "cuda"
  DensityMethod density = DensityMethod::automatic;
  int pipeMenonIterations = 20;
  Combination combination = Combination::rootSumSquares;  // none: first frame's coils become frames
  bool exact = false;                          // use nudft instead of the plan (slow: the reference)
  std::string frames, slices;                  // "": all; else "0-3,7"
};

enum class OptionType { number, integer, choice, text, flag };

struct OptionSpec {
  std::string name;      // "alpha": --alpha on the command line, the panel's row, the key in JSON
  std::string label;     // "Oversampling ratio α"
  OptionType type = OptionType::text;
  double minimum = 0, maximum = 0;   // number, integer
  std::vector<std::string> choices;  // choice
  std::string unit;
  std::string help;                  // one sentence; 0 or "auto" explained where it means automatic
  std::string group;                 // "Accuracy", "Plan", "Reconstruction"
};

const std::vector<OptionSpec>& reconOptionTable();
std::string optionValue(const ReconOptions& options, const std::string& name);
// Throws Error for an unknown name, a value out of range or not of the type.
void setOption(ReconOptions& options, const std::string& name, const std::string& value);

}  // namespace spokelab
