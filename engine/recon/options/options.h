// The options of a reconstruction, and the one table of them that feeds the command line,
// the parameter panel, reports and sessions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/options/option_table.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"
#include "engine/nufft/tune/tune_effort.h"
#include "engine/recon/options/idle_rules.h"
#include "engine/recon/options/iterative_options.h"
#include "engine/recon/options/option_checks.h"

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
  double edgeTaper = 0;  // share of k-space's radius over which gridded samples fade; 0: none
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

// Names of the options that serve there, in the table's order.
std::vector<std::string> optionsServing(OptionUse use);

// Why an option does nothing beside the others: a sentence; empty where it acts.
std::string whyIdle(const ReconOptions& options, std::string_view name);

// "regularization, lambda": options of the iterations that differ from their defaults while the
// method does not iterate; empty: none differs.
std::string unusedOptions(const ReconOptions& options);

std::string_view densityName(DensityMethod);    // "auto", "file", "analytic", "pipe-menon", "voronoi", "none"
std::string_view combinationName(Combination);  // "rss", "adaptive", "none"
std::string_view prewhiteningName(Prewhitening);  // "auto", "on", "off"
std::string_view precisionName(Precision);        // "single", "double"
std::string_view errorMeasureName(ErrorMeasure);  // "l2", "amplitude"

// The texts of their rows, read and written.
std::string accuracyText(const ReconOptions& options);  // a number, or "auto"
void setAccuracyText(ReconOptions& options, const std::string& value);
std::vector<std::string> directionChoices();
std::string directionOf(const ReconOptions& options);
void setDirection(ReconOptions& options, const std::string& value);
std::vector<std::string> backendChoices();
std::string backendOf(const ReconOptions& options);
void setBackend(ReconOptions& options, const std::string& value);
std::string devicesOf(const ReconOptions& options);
void setDevices(ReconOptions& options, const std::string& value);
std::string preprocessingOf(const ReconOptions& options);  // "keep", "afresh"
void setPreprocessing(ReconOptions& options, const std::string& value);

// The rows of the fields above; those of the iterations are in iterative_options.h.
template <class Rows>
void addPlanRows(Rows& rows) {
  static constexpr ErrorMeasure measures[] = {ErrorMeasure::relativeL2, ErrorMeasure::worstPixel};
  static constexpr Precision precisions[] = {Precision::single, Precision::double64};
  static constexpr TuneEffort efforts[] = {TuneEffort::estimate, TuneEffort::measure, TuneEffort::exhaustive};

  OptionSpec accuracy =
      optionSpec(OptionType::number, "accuracy", "Accuracy ε",
                 "Error that the transform may have; auto: a tenth of the image's noise, by the "
                 "scan's noise lines, or 1e-3 where it has none",
                 "Accuracy");
  accuracy.minimum = 1e-14;
  accuracy.maximum = 0.5;
  accuracy.automatic = true;
  rows.add(std::move(accuracy), accuracyText, setAccuracyText)
      .essential(2)
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::forecast});
  rows.choice(
          "error-measure", "Accuracy is of", measures, errorMeasureName,
          "Meaning of the accuracy. l2: bounds the relative l2 error; amplitude: bounds the aliasing amplitude of "
          "the worst pixel",
          "Accuracy", [](auto& o) -> auto& { return o.measure; })
      .serves({OptionUse::transform});
  rows.choice(
          "precision", "Precision", precisions, precisionName, "Arithmetic of the transform", "Accuracy",
          [](auto& o) -> auto& { return o.precision; })
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::forecast});
  rows.choice(
          "effort", "Tuning effort", efforts, effortName,
          "estimate: trust the cost model; measure: time the promising plans; exhaustive: time all", "Plan",
          [](auto& o) -> auto& { return o.effort; })
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::forecast});

  // Text, as plug-ins choose their names; the choices list the backends that are always known.
  OptionSpec backend =
      optionSpec(OptionType::text, "backend", "Backend",
                 "Machine to run on, or a plug-in by its name; auto: the one with the fastest plan", "Plan");
  backend.choices = backendChoices();
  rows.add(std::move(backend), backendOf, setBackend).serves({OptionUse::transform, OptionUse::type3});
  rows.add(optionSpec(
               OptionType::text, "devices", "GPUs",
               "GPUs to use by their numbers, as in 0,2 or 0-3, or all. Several divide the frames, slices or "
               "coils of a reconstruction; else the first one runs the job",
               "Plan"),
           devicesOf, setDevices)
      .serves({OptionUse::transform, OptionUse::gpu});
  rows.choice(
          "preprocessing", "Preprocessing", std::vector<std::string>{"keep", "afresh"},
          "Density weights and point spread functions that took long to make: keep: beside the wisdom, for later "
          "starts of the program; afresh: make them anew, and keep none",
          "Plan", preprocessingOf, setPreprocessing)
      .serves({OptionUse::transform});
  rows.number(
          "slabs", "Slabs", OptionType::integer, 1, 65535, "",
          "Slabs of slices that a volume is transformed in, one after the other: each has a smaller grid and takes "
          "all samples; auto: 1, or the fewest for which the grid fits into memory",
          "Plan", true, [](auto& o) -> auto& { return o.slabs; })
      .serves({OptionUse::transform})
      .idle({idle::exactSums, idle::undividedVolume});
  addNufftRows(
      rows, [](auto& o) -> auto& { return o.nufft; });
}

// The aim of tuning, and its duration.
template <class Rows>
void addTuningRows(Rows& rows) {
  const std::string group = "Tuning";
  rows.choice(
          "direction", "Direction", directionChoices(),
          "Operation that is tuned and timed; auto: the reconstruction's (gridding: the adjoint; SENSE: the "
          "normal operator)",
          group, directionOf, setDirection)
      .serves({OptionUse::transform});
  rows.number(
          "reuse", "Executions a set of points", OptionType::number, 1, 1e9, "",
          "Executions for each set of points, which share the time that setting the points takes; auto: the "
          "reconstruction's number",
          group, true, [](auto& o) -> auto& { return o.tuning.reuse; })
      .serves({OptionUse::transform, OptionUse::type3});
  rows.number(
          "point-sets", "Sets of points", OptionType::number, 1, 1e9, "",
          "Sets of points that share the time that making a plan takes; auto: the reconstruction's number "
          "(one a frame if each has its own trajectory)",
          group, true, [](auto& o) -> auto& { return o.tuning.pointSets; })
      .serves({OptionUse::transform});
  rows.number(
          "trials", "Repeats", OptionType::integer, 1, 1e6, "",
          "Repeats of each candidate; auto: chosen by its time, in a sweep 5 rounds over all candidates and more "
          "for the ones that may win",
          group, true, [](auto& o) -> auto& { return o.tuning.trials; })
      .serves({OptionUse::transform, OptionUse::type3})
      .idle({idle::untimedTuning});
  rows.number(
          "time-limit", "Time limit", OptionType::number, 1e-3, 1e6, "s",
          "Seconds that tuning or a sweep may take; auto: by effort, measure takes a second at most; a sweep's "
          "further rounds take as long as its first one, or 10 s",
          group, true, [](auto& o) -> auto& { return o.tuning.timeLimit; })
      .serves({OptionUse::transform, OptionUse::type3})
      .idle({idle::untimedTuning});
}

template <class Rows>
void addReconstructionRows(Rows& rows) {
  static constexpr DensityMethod densities[] = {DensityMethod::automatic, DensityMethod::file,
                                                DensityMethod::analytic,  DensityMethod::pipeMenon,
                                                DensityMethod::voronoi,   DensityMethod::none};

  rows.choice(
          "density", "Density compensation", densities, densityName,
          "auto: the file's, else analytic where the trajectory is radial, else Pipe-Menon; voronoi: areas of "
          "the cells around the samples (2-D, stacks)",
          "Reconstruction", [](auto& o) -> auto& { return o.density; })
      .serves({OptionUse::forecast});
  rows.number(
          "pipe-menon-iterations", "Pipe-Menon iterations", OptionType::integer, 1, 1000, "",
          "Iterations of the Pipe-Menon density compensation", "Reconstruction", false,
          [](auto& o) -> auto& { return o.pipeMenonIterations; })
      .idle({idle::notPipeMenon});
  rows.number(
          "edge-taper", "Taper of the edge", OptionType::number, 0, 1, "",
          "Share of the radius of k-space over which samples fade out towards its edge (a raised cosine): less "
          "ringing, less resolution; 0: none",
          "Reconstruction", false, [](auto& o) -> auto& { return o.edgeTaper; })
      .idle({{[](const ReconOptions& o) { return o.iterative.method != ReconMethod::gridding; },
              "Only gridding uses it"}});
  rows.flag(
          "exact", "Exact sums",
          "Sum exactly in double precision instead of using a plan: slow, the reference", "Reconstruction",
          [](auto& o) -> auto& { return o.exact; })
      .serves({OptionUse::transform, OptionUse::type3, OptionUse::forecast});
}

// The parts of the scan that are used; the same for every method and backend (sample_selection.h).
template <class Rows>
void addSelectionRows(Rows& rows) {
  const std::string group = "Selection", all = "all";
  rows.text(
          "frames", "Frames", "Frames to reconstruct, as in 0-3,7; empty: all", group, all,
          [](auto& o) -> auto& { return o.frames; })
      .check(checkNumbers);
  rows.text(
          "slices", "Slices", "2-D slices to reconstruct, as in 0-3,7; empty: all", group, all,
          [](auto& o) -> auto& { return o.slices; })
      .check(checkNumbers);
  rows.text(
          "shots", "Shots",
          "Shots (spokes, interleaves) that take part: numbers, ranges and strides, as in 0-99,200 or 0-:4 "
          "(every fourth from 0 on); empty: all",
          group, all, [](auto& o) -> auto& { return o.shots; })
      .serves({OptionUse::samples})
      .check(checkNumbers);
  rows.text(
          "samples", "Samples of a shot",
          "Samples of each shot that take part, by number, as in 0-127 or 0-:2; empty: all", group, all,
          [](auto& o) -> auto& { return o.samples; })
      .serves({OptionUse::samples})
      .check(checkNumbers);
  rows.text(
          "readout-time", "Time in the readout",
          "Window of time in ms after excitation, as in 0.5-3, or 0.5- for all after; empty: all. The scan "
          "has to know the times of its samples",
          group, all, [](auto& o) -> auto& { return o.readoutWindow; })
      .serves({OptionUse::samples})
      .check(checkWindow);
  rows.text(
          "scan-time", "Time in the scan",
          "Shots measured within a window of time in s since the first, as in 10-20; empty: all. The scan "
          "has to know when each shot was measured",
          group, all, [](auto& o) -> auto& { return o.scanWindow; })
      .serves({OptionUse::samples})
      .check(checkWindow);
  rows.text(
          "coils", "Coils", "Coils to use, as in 0-3,7; empty: all", group, all,
          [](auto& o) -> auto& { return o.coils; })
      .serves({OptionUse::coils})
      .check(checkNumbers);
  rows.text(
          "leave-out-coils", "Coils left out", "Coils to leave out of those, as in 0-3,7; empty: none", group,
          "none", [](auto& o) -> auto& { return o.leaveOutCoils; })
      .serves({OptionUse::coils})
      .check(checkNumbers);
}

template <class Rows>
void addCoilRows(Rows& rows) {
  static constexpr Combination combinations[] = {Combination::rootSumSquares, Combination::adaptive,
                                                 Combination::none};
  static constexpr Prewhitening prewhitenings[] = {Prewhitening::automatic, Prewhitening::on,
                                                   Prewhitening::off};

  rows.choice(
          "combine", "Coil combination", combinations, combinationName,
          "rss: root of the sum of squares; adaptive: the local matched filter (Walsh), which keeps the phase; "
          "none: the first frame's coils become frames",
          "Coils", [](auto& o) -> auto& { return o.combination; })
      .serves({OptionUse::forecast})
      .idle({idle::mapsCombine});
  rows.number(
          "walsh-block", "Adaptive block", OptionType::integer, 1, 31, "pixels",
          "Side of the block whose pixels tell the coils' sensitivities in an adaptive combination; auto: 9 "
          "in 2-D, 5 in 3-D",
          "Coils", true, [](auto& o) -> auto& { return o.walshBlock; })
      .idle({idle::mapsCombine, idle::notAdaptive});
  rows.choice(
      "prewhiten", "Prewhitening", prewhitenings, prewhiteningName,
      "Make the noise of the coils equal and independent, by the scan's noise lines; auto: where it has "
      "enough of them",
      "Coils", [](auto& o) -> auto& { return o.prewhitening; });
  rows.number(
      "compress-coils", "Virtual coils", OptionType::integer, 1, 65535, "",
      "Compress the coils to this number of virtual ones, which keep the most energy; auto: keep all coils",
      "Coils", true, [](auto& o) -> auto& { return o.virtualCoils; });
  rows.number(
      "coils-at-once", "Coils at a time", OptionType::integer, 1, 65535, "",
      "Coils that one execution of the plan transforms, within the memory limit; auto: the number whose images "
      "and samples fit into 1 GB, or four if they fit into an eighth of the machine's memory and half of "
      "the limit",
      "Coils", true, [](auto& o) -> auto& { return o.coilsAtOnce; });
}

// numberList() of engine/core/number_list.h; `what` names the thing in errors.
std::vector<int> selection(const std::string& text, int count, const std::string& what);

}  // namespace spokelab
