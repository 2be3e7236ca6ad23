#include "engine/recon/options/options.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/recon/options/dimension_options.h"
#include "engine/recon/options/machine_options.h"

namespace spokelab {
namespace {

constexpr double bytesPerGigabyte = 1e9;

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
constexpr KernelType kernels[] = {KernelType::automatic, KernelType::kaiserBessel, KernelType::semicircle,
                                  KernelType::prolate, KernelType::gaussian};
constexpr Precomputation precomputations[] = {Precomputation::automatic, Precomputation::polynomial,
                                              Precomputation::linear, Precomputation::tensor,
                                              Precomputation::none};
constexpr TuneEffort efforts[] = {TuneEffort::estimate, TuneEffort::measure, TuneEffort::exhaustive};
constexpr Method methods[] = {Method::automatic,  Method::blocked, Method::pointDriven,  Method::pointSorted,
                              Method::subproblem, Method::sector,  Method::outputDriven, Method::fixedPoint,
                              Method::cell,       Method::tensor,  Method::sparse,       Method::cusparse};
constexpr Scheduler schedulers[] = {Scheduler::automatic, Scheduler::tiles, Scheduler::graph};
constexpr CrowdedSums crowdedSums[] = {CrowdedSums::automatic, CrowdedSums::off};
constexpr FftEffort fftEfforts[] = {FftEffort::automatic, FftEffort::estimate, FftEffort::measure,
                                    FftEffort::patient};
constexpr NormalMethod normals[] = {NormalMethod::automatic, NormalMethod::gridded, NormalMethod::toeplitz,
                                    NormalMethod::toeplitzShifted};

template <class T, std::size_t n>
std::string_view nameIn(const std::pair<T, std::string_view> (&table)[n], T value) {
  for (const auto& [v, name] : table)
    if (v == value) return name;
  return table[0].second;
}

template <class T, std::size_t n>
T valueIn(const std::pair<T, std::string_view> (&table)[n], const std::string& name) {
  for (const auto& [v, text] : table)
    if (text == name) return v;
  return table[0].first;
}

template <class T, std::size_t n>
std::vector<std::string> namesOf(const std::pair<T, std::string_view> (&table)[n]) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.second);
  return names;
}

using Table = OptionTable<ReconOptions>;

void addScheduler(Table& table) {
  using O = ReconOptions;
  table.choice(
      "scheduler", "Scheduler", schedulers, schedulerName,
      "CPU, spreading on several threads: a graph of tasks over tiles of one size, or over partitions that "
      "follow the samples; auto: tuned, tiles where nothing is timed",
      "Plan", [](auto& o) -> auto& { return o.nufft.scheduler.kind; });
  OptionSpec off =
      optionSpec(OptionType::text, "scheduler-off", "Left out of the graph",
                 "Parts of the task graph to leave out, to see what they gain, as in "
                 "queue,private: variable (widths that follow the samples), graph (no barriers), "
                 "queue (largest task first), private (copies of crowded partitions), reorder "
                 "(a task's samples by small boxes); empty: nothing",
                 "Plan");
  off.empty = "nothing";
  table.add(
      std::move(off), [](const O& o) { return schedulerPartsText(o.nufft.scheduler.off); },
      [](O& o, const std::string& v) { o.nufft.scheduler.off = schedulerPartsFromText(v); });
  table.number(
      "partitions", "Partitions", OptionType::integer, 1, 1024, "a dimension",
      "Task graph: partitions wanted in each dimension; auto: by the threads, tuned", "Plan", true,
      [](auto& o) -> auto& { return o.nufft.scheduler.partitions; });
}

void addPlan(Table& table) {
  using O = ReconOptions;
  OptionSpec accuracy =
      optionSpec(OptionType::number, "accuracy", "Accuracy ε",
                 "Error that the transform may have; auto: a tenth of the image's noise, by the "
                 "scan's noise lines, or 1e-3 where it has none",
                 "Accuracy");
  accuracy.minimum = 1e-14;
  accuracy.maximum = 0.5;
  accuracy.automatic = true;
  table.add(
      std::move(accuracy),
      [](const O& o) {
        return o.accuracyByNoise ? std::string(automaticOption) : exactNumberText(o.nufft.accuracy);
      },
      [](O& o, const std::string& v) {
        const bool byNoise = v == automaticOption;
        const double value = byNoise ? NufftOptions{}.accuracy : optionNumber(v);
        if (!(value > 0))
          throw Error("Cannot use accuracy = " + v, "an error of 0 cannot be reached",
                      "Use a number from 1e-14 to 0.5, or auto");
        setAccuracy(o, value);
        o.accuracyByNoise = byNoise;
      });
  table.choice(
      "error-measure", "Accuracy is of", namesOf(measureNames),
      "Meaning of the accuracy. l2: bounds the relative l2 error; amplitude: bounds the aliasing amplitude of "
      "the worst pixel",
      "Accuracy", [](const O& o) { return std::string(nameIn(measureNames, o.measure)); },
      [](O& o, const std::string& v) { o.measure = valueIn(measureNames, v); });
  table.choice(
      "precision", "Precision", namesOf(precisionNames), "Arithmetic of the transform", "Accuracy",
      [](const O& o) { return std::string(precisionName(o.precision)); },
      [](O& o, const std::string& v) { o.precision = valueIn(precisionNames, v); });
  table.choice(
      "effort", "Tuning effort", efforts, effortName,
      "estimate: trust the cost model; measure: time the promising plans; exhaustive: time all", "Plan",
      [](auto& o) -> auto& { return o.effort; });
  addMachineOptions(table);
  table.number(
      "alpha", "Oversampling ratio α", OptionType::number, 1.0001, 2.5, "",
      "Size of the oversampled grid over the image's size; auto: tuned", "Plan", true,
      [](auto& o) -> auto& { return o.nufft.alpha; });
  addAxisAlpha(table);
  table.number(
      "width", "Kernel width W", OptionType::number, 1, 16, "grid cells",
      "Full width of the kernel in grid cells, any real number; auto: the smallest that meets "
      "the accuracy",
      "Plan", true, [](auto& o) -> auto& { return o.nufft.width; });
  table.choice(
      "kernel", "Kernel", kernels, kernelName,
      "Spreading kernel; the Gaussian is there for reference; auto: tuned, Kaiser-Bessel where that is as "
      "narrow",
      "Plan", [](auto& o) -> auto& { return o.nufft.kernel; });
  table.choice(
      "precomputation", "Precomputation", precomputations, precomputationName,
      "CPU: source of kernel values: polynomials, a linear table, values stored for each point, or the kernel "
      "itself; auto: tuned, polynomials where nothing is timed",
      "Plan", [](auto& o) -> auto& { return o.nufft.precomputation; });
  table.choice(
      "spread", "Spreading method", methods, methodName,
      "Method that spreads samples onto the grid; auto: tuned among the backend's methods", "Plan",
      [](auto& o) -> auto& { return o.nufft.spread; });
  table.choice(
      "interpolate", "Interpolation method", methods, methodName,
      "Method that interpolates the grid at the samples; auto: tuned among the backend's methods", "Plan",
      [](auto& o) -> auto& { return o.nufft.interpolate; });
  table.choice(
      "normal", "Normal operator", normals, normalMethodName,
      "Way to apply forward, weights and adjoint together: over the grid, or as a convolution with the point "
      "spread function (toeplitz: padded; toeplitz-shifted: without a padded grid); auto: tuned where "
      "the normal operator is, else the backend's choice",
      "Plan", [](auto& o) -> auto& { return o.nufft.normal; });
  table.number(
      "toeplitz-alpha", "Toeplitz ratio α_T", OptionType::number, 1.5, 4, "",
      "Padded Toeplitz form: circular length over image size, rounded up to a fast size; auto: tuned "
      "where the normal operator is, else the smallest",
      "Plan", true, [](auto& o) -> auto& { return o.nufft.toeplitzAlpha; });
  addBins(table);
  addScheduler(table);
  table.number(
      "max-subproblem", "Points a subproblem", OptionType::integer, 1, 1 << 20, "points",
      "GPU subproblem method: most points in one subproblem; auto: the method's choice", "Plan", true,
      [](auto& o) -> auto& { return o.nufft.maxSubproblem; });
  table.choice(
      "crowded-sums", "Crowded points", crowdedSums, crowdedSumsName,
      "auto: where samples crowd, sums are made in two levels, so that no digits are lost; off: summed like "
      "the others, to compare methods, and the predicted error leaves out what that rounds",
      "Plan", [](auto& o) -> auto& { return o.nufft.crowdedSums; });
  table.choice(
      "fft-effort", "FFTW's planner", fftEfforts, fftEffortName,
      "CPU: how long FFTW looks for its plans: estimate, measure or patient; what it measures is kept beside "
      "the wisdom; auto: tuned where FFTs take long, else estimate",
      "Plan", [](auto& o) -> auto& { return o.nufft.fftEffort; });
  table.number(
      "images-together", "Images together", OptionType::integer, 1, 4, "",
      "CPU: coils of an execution that share kernel values, their grids side by side: 4, or 1 for one by "
      "one; auto: tuned, 4 where the memory limit holds so large a grid",
      "Plan", true, [](auto& o) -> auto& { return o.nufft.interleave; });
  table.number(
      "threads", "Threads", OptionType::integer, 1, 1024, "", "CPU threads; auto: all", "Plan", true,
      [](auto& o) -> auto& { return o.nufft.threads; });
  table.flag(
      "reproducible", "Reproducible",
      "Images bitwise the same from run to run, with any number of threads: sums in a fixed order, the plan "
      "by the cost model alone, on the GPU only methods that add in order; what that costs is told with the "
      "plan",
      "Plan", [](auto& o) -> auto& { return o.nufft.reproducible; });
  table.number(
      "memory-limit", "Memory limit", OptionType::number, 1e-3, 1e5, "GB",
      "Memory that a plan may take; it also bounds the coils and frames that are worked on together; auto: "
      "no limit",
      "Plan", true, [](auto& o) -> auto& { return o.nufft.memoryLimit; }, bytesPerGigabyte);
}

// The aim of tuning, and its duration.
void addTuning(Table& table) {
  using O = ReconOptions;
  const std::string group = "Tuning";
  std::vector<std::string> directions{std::string(automaticOption)};
  for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
    directions.emplace_back(directionName(d));
  table.choice(
      "direction", "Direction", std::move(directions),
      "Operation that is tuned and timed; auto: the reconstruction's (gridding: the adjoint; SENSE: the "
      "normal operator)",
      group,
      [](const O& o) {
        return std::string(o.tuning.direction ? directionName(*o.tuning.direction) : automaticOption);
      },
      [](O& o, const std::string& v) {
        o.tuning.direction.reset();
        if (v != automaticOption) o.tuning.direction = directionFromName(v);
      });
  table.number(
      "reuse", "Executions a set of points", OptionType::number, 1, 1e9, "",
      "Executions for each set of points, which share the time that setting the points takes; auto: the "
      "reconstruction's number",
      group, true, [](auto& o) -> auto& { return o.tuning.reuse; });
  table.number(
      "point-sets", "Sets of points", OptionType::number, 1, 1e9, "",
      "Sets of points that share the time that making a plan takes; auto: the reconstruction's number "
      "(one a frame if each has its own trajectory)",
      group, true, [](auto& o) -> auto& { return o.tuning.pointSets; });
  table.number(
      "trials", "Repeats", OptionType::integer, 1, 1e6, "",
      "Repeats of each candidate; auto: chosen by its time, in a sweep 5 rounds over all candidates and more "
      "for the ones that may win",
      group, true, [](auto& o) -> auto& { return o.tuning.trials; });
  table.number(
      "time-limit", "Time limit", OptionType::number, 1e-3, 1e6, "s",
      "Seconds that tuning or a sweep may take; auto: by effort, measure takes a second at most; a sweep's "
      "further rounds take as long as its first one, or 10 s",
      group, true, [](auto& o) -> auto& { return o.tuning.timeLimit; });
}

void addCoils(Table& table) {
  using O = ReconOptions;
  table.choice(
      "combine", "Coil combination", namesOf(combinationNames),
      "rss: root of the sum of squares; adaptive: the local matched filter (Walsh), which keeps the phase; "
      "none: the first frame's coils become frames",
      "Coils", [](const O& o) { return std::string(combinationName(o.combination)); },
      [](O& o, const std::string& v) { o.combination = valueIn(combinationNames, v); });
  table.number(
      "walsh-block", "Adaptive block", OptionType::integer, 1, 31, "pixels",
      "Side of the block whose pixels tell the coils' sensitivities in an adaptive combination; auto: 9 "
      "in 2-D, 5 in 3-D",
      "Coils", true, [](auto& o) -> auto& { return o.walshBlock; });
  table.choice(
      "prewhiten", "Prewhitening", namesOf(prewhiteningNames),
      "Make the noise of the coils equal and independent, by the scan's noise lines; auto: where it has "
      "enough of them",
      "Coils", [](const O& o) { return std::string(prewhiteningName(o.prewhitening)); },
      [](O& o, const std::string& v) { o.prewhitening = valueIn(prewhiteningNames, v); });
  table.number(
      "compress-coils", "Virtual coils", OptionType::integer, 1, 65535, "",
      "Compress the coils to this number of virtual ones, which keep the most energy; auto: keep all coils",
      "Coils", true, [](auto& o) -> auto& { return o.virtualCoils; });
  table.number(
      "coils-at-once", "Coils at a time", OptionType::integer, 1, 65535, "",
      "Coils that one execution of the plan transforms, within the memory limit; auto: the number whose images "
      "and samples fit into 1 GB, or four if they fit into an eighth of the machine's memory and half of "
      "the limit",
      "Coils", true, [](auto& o) -> auto& { return o.coilsAtOnce; });
}

void addReconstruction(Table& table) {
  using O = ReconOptions;
  table.choice(
      "density", "Density compensation", namesOf(densityNames),
      "auto: the file's, else analytic where the trajectory is radial, else Pipe-Menon; voronoi: areas of "
      "the cells around the samples (2-D, stacks)",
      "Reconstruction", [](const O& o) { return std::string(densityName(o.density)); },
      [](O& o, const std::string& v) { o.density = valueIn(densityNames, v); });
  table.number(
      "pipe-menon-iterations", "Pipe-Menon iterations", OptionType::integer, 1, 1000, "",
      "Iterations of the Pipe-Menon density compensation", "Reconstruction", false,
      [](auto& o) -> auto& { return o.pipeMenonIterations; });
  table.flag(
      "exact", "Exact sums", "Sum exactly in double precision instead of using a plan: slow, the reference",
      "Reconstruction", [](auto& o) -> auto& { return o.exact; });
}

// The parts of the scan that are used; the same for every method and backend (sample_selection.h).
void addSelection(Table& table) {
  const std::string group = "Selection", all = "all";
  table.text(
      "frames", "Frames", "Frames to reconstruct, as in 0-3,7; empty: all", group, all,
      [](auto& o) -> auto& { return o.frames; });
  table.text(
      "slices", "Slices", "2-D slices to reconstruct, as in 0-3,7; empty: all", group, all,
      [](auto& o) -> auto& { return o.slices; });
  table.text(
      "shots", "Shots",
      "Shots (spokes, interleaves) that take part: numbers, ranges and strides, as in 0-99,200 or 0-:4 "
      "(every fourth from 0 on); empty: all",
      group, all, [](auto& o) -> auto& { return o.shots; });
  table.text(
      "samples", "Samples of a shot",
      "Samples of each shot that take part, by number, as in 0-127 or 0-:2; empty: all", group, all,
      [](auto& o) -> auto& { return o.samples; });
  table.text(
      "readout-time", "Time in the readout",
      "Window of time in ms after excitation, as in 0.5-3, or 0.5- for all after; empty: all. The scan "
      "has to know the times of its samples",
      group, all, [](auto& o) -> auto& { return o.readoutWindow; });
  table.text(
      "scan-time", "Time in the scan",
      "Shots measured within a window of time in s since the first, as in 10-20; empty: all. The scan "
      "has to know when each shot was measured",
      group, all, [](auto& o) -> auto& { return o.scanWindow; });
  table.text(
      "coils", "Coils", "Coils to use, as in 0-3,7; empty: all", group, all,
      [](auto& o) -> auto& { return o.coils; });
  table.text(
      "leave-out-coils", "Coils left out", "Coils to leave out of those, as in 0-3,7; empty: none", group,
      "none", [](auto& o) -> auto& { return o.leaveOutCoils; });
}

const Table& table() {
  static const Table whole = [] {
    Table t;
    addPlan(t);
    addTuning(t);
    addReconstruction(t);
    addSelection(t);
    addCoils(t);
    addIterativeOptions(t);
    return t;
  }();
  return whole;
}

}  // namespace

const std::vector<OptionSpec>& reconOptionTable() {
  return table().specs();
}

std::string optionValue(const ReconOptions& options, const std::string& name) {
  return table().value(options, name);
}

void setOption(ReconOptions& options, const std::string& name, const std::string& value) {
  constexpr std::string_view lists[] = {"frames", "slices", "shots", "samples", "coils", "leave-out-coils"};
  constexpr std::string_view windows[] = {"readout-time", "scan-time"};
  if (std::find(std::begin(lists), std::end(lists), name) != std::end(lists)) selection(value, 0, name);
  if (!value.empty() && std::find(std::begin(windows), std::end(windows), name) != std::end(windows))
    numberWindow(value, "Cannot use " + name + " = " + value);
  table().set(options, name, value);
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

std::vector<int> selection(const std::string& text, int count, const std::string& what) {
  return numberList(text, count, "Cannot use " + what + " = " + text);
}

}  // namespace spokelab
