// The options of a reconstruction, and the one table of them that feeds the command line,
// the parameter panel, reports and sessions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/option_table.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/options/iterative_options.h"

namespace spokelab {

enum class DensityMethod { automatic, file, analytic, pipeMenon, voronoi, none };
enum class Combination { rootSumSquares, adaptive, none };
enum class Prewhitening { automatic, on, off };

// The work that the tuner finds a plan for. Values that are 0 or not given follow from the
// reconstruction (reconstructionWorkload).
struct TuningOptions {
  std::optional<Direction> direction;
  double reuse = 0;      // executions for each set of points
  double pointSets = 0;  // that one plan is given
  int trials = 0;        // repeats of a candidate; 0: by its time
  double timeLimit = 0;  // seconds; 0: by effort
};

struct ReconOptions {
  NufftOptions nufft;  // accuracy, alpha, width, kernel, methods, threads, memory
  // The job's plan sets the accuracy by the scan's noise (job/noise_accuracy.h).
  bool accuracyByNoise = false;
  Precision precision = Precision::single;
  ErrorMeasure measure = ErrorMeasure::relativeL2;  // of nufft.accuracy
  TuneEffort effort = TuneEffort::measure;
  TuningOptions tuning;
  std::string backend = "auto";  // or a name (nufft/problem/backend_kind.h)
  std::string devices = "0";     // GPUs, as numberList() takes them, or "all"
  DensityMethod density = DensityMethod::automatic;
  int pipeMenonIterations = 20;
  Combination combination = Combination::rootSumSquares;  // none: first frame's coils become frames
  int walshBlock = 0;                                     // pixels, adaptive; 0: by the dimensions
  Prewhitening prewhitening = Prewhitening::automatic;    // automatic: where the scan has noise lines enough
  int coilsAtOnce = 0;                                    // transformed together; 0: by memory
  int slabs = 0;                   // that a volume is transformed in; 0: the fewest that memory allows
  int virtualCoils = 0;            // number of coils after compression; 0: all coils are kept
  bool keepsPreprocessing = true;  // values that took long, beside the wisdom (core/output/kept_values.h)
  bool exact = false;              // use nudft instead of the plan (slow: the reference)
  // The parts of the scan that are reconstructed ("": all): lists as selection() takes them,
  // windows as numberWindow() does.
  std::string frames, slices, shots;
  std::string samples;         // of each shot, by number
  std::string readoutWindow;   // ms after excitation
  std::string scanWindow;      // s since the first shot
  std::string coils;           // to keep; leaveOutCoils is taken from these
  std::string leaveOutCoils;   // "": none
  IterativeOptions iterative;  // method, transform, iterations, maps

  // The road from samples to image is in double precision, and so is the image.
  bool inDouble() const { return precision == Precision::double64 || exact; }
};

// Sets the accuracy, which then does not depend on a scan.
void setAccuracy(ReconOptions& options, double accuracy);

const std::vector<OptionSpec>& reconOptionTable();
// As setOption takes it; "auto" where an automatic number or integer is 0. The default is taken
// from ReconOptions{}.
std::string optionValue(const ReconOptions& options, const std::string& name);
// Throws Error for an unknown name, a value out of range or not of the type.
void setOption(ReconOptions& options, const std::string& name, const std::string& value);

// "regularization, lambda": options of the iterations that differ from their defaults while the
// method does not iterate; empty: none differs.
std::string unusedOptions(const ReconOptions& options);

std::string_view densityName(DensityMethod);    // "auto", "file", "analytic", "pipe-menon", "voronoi", "none"
std::string_view combinationName(Combination);  // "rss", "adaptive", "none"
std::string_view prewhiteningName(Prewhitening);  // "auto", "on", "off"
std::string_view precisionName(Precision);        // "single", "double"

// numberList() of engine/core/number_list.h; `what` names the thing in errors.
std::vector<int> selection(const std::string& text, int count, const std::string& what);

}  // namespace spokelab
