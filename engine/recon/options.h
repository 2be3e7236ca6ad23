// What a reconstruction is asked to do, and the one table of options that feeds the command line, the
// parameter panel, reports and sessions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/nufft/options.h"
#include "engine/nufft/problem.h"
#include "engine/nufft/tune.h"

namespace spokelab {

enum class DensityMethod { automatic, file, analytic, pipeMenon, none };
enum class Combination { rootSumSquares, none };

struct ReconOptions {
  NufftOptions nufft;  // accuracy, alpha, width, kernel, methods, threads, memory
  Precision precision = Precision::single;
  TuneEffort effort = TuneEffort::measure;
  std::string backend = "auto";  // "auto", "cpu", "cuda"
  DensityMethod density = DensityMethod::automatic;
  int pipeMenonIterations = 20;
  Combination combination = Combination::rootSumSquares;  // none: first frame's coils become frames
  bool exact = false;          // use nudft instead of the plan (slow: the reference)
  std::string frames, slices;  // "": all; else "0-3,7"
};

enum class OptionType { number, integer, choice, text, flag };

struct OptionSpec {
  std::string name;   // "alpha": --alpha on the command line, the panel's row, the key in JSON
  std::string label;  // "Oversampling ratio α"
  OptionType type = OptionType::text;
  double minimum = 0, maximum = 0;   // number, integer
  std::vector<std::string> choices;  // choice
  std::string unit;
  std::string help;        // one sentence; 0 or "auto" explained where it means automatic
  std::string group;       // "Accuracy", "Plan", "Reconstruction"
  bool automatic = false;  // number, integer: "auto" (or 0) leaves the value to the program
};

const std::vector<OptionSpec>& reconOptionTable();
// As setOption takes it; "auto" where an automatic number or integer is 0. The default: that of ReconOptions{}.
std::string optionValue(const ReconOptions& options, const std::string& name);
// Throws Error for an unknown name, a value out of range or not of the type.
void setOption(ReconOptions& options, const std::string& name, const std::string& value);

std::string_view densityName(DensityMethod);    // "auto", "file", "analytic", "pipe-menon", "none"
std::string_view combinationName(Combination);  // "rss", "none"
std::string_view precisionName(Precision);      // "single", "double"

// "0-3,7" -> 0, 1, 2, 3, 7 (ascending, each once); "" or "all": 0 ... count - 1. `what` names the thing in errors.
// Throws Error for what cannot be read, and for a number that is not below `count`.
std::vector<int> selection(const std::string& text, int count, const std::string& what);

}  // namespace spokelab
