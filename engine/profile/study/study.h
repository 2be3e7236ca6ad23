// Studies of the papers, rerun on one's own machine: the same patterns, sizes, accelerations and
// accuracies. A study is a definition in the list of its paper (gnufftw/gnufftw_studies.cpp ...):
// what the paper used, the axes of its chart, what is not as in the paper, and a function that
// makes its rows. The guide's page on studies has the same texts.
//
// Acceleration R as in [formulas]: radial ceil(pi N^2 / (2R)) diameters, stars N planes of
// ceil(pi N / (2R)) spokes, random N^3 / R points. The studies of multicore-nufft take its own data
// sets (interleavedPoints).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/core/jobs/shard.h"
#include "engine/core/measure/machine_load.h"
#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/tune/result/candidate.h"
#include "engine/profile/study/study_points.h"

namespace spokelab {

// A user's request of a study; empty members are taken from the paper.
struct StudyRequest {
  std::string study;
  std::vector<int> sizes;  // N of N^3
  std::vector<double>
      accelerations;  // R; empty in a study of multicore-nufft: each size has its own, as there
  std::vector<double> accuracies;
  std::vector<std::string> patterns;       // of studyPatterns()
  std::vector<double> alphas;              // oversampling ratios; several only where a study compares them
  std::vector<int> threads;                // of studies that vary them; empty: 1, 2, 4 ... and all
  std::vector<int> ranks;                  // of studies that compare them; empty: 1, 2, 4 ... all
  std::string devices;                     // GPUs of these studies ("0,2"); empty: all
  std::optional<CrowdedSums> crowdedSums;  // of studies that compare methods of spreading
  int trials = 0;                          // repeats a candidate; 0: chosen from its time
};

struct StudyCase {
  std::string pattern;
  int size = 0;
  double acceleration = 1, accuracy = 1e-2;
  std::int64_t points = 0;
};

// One variant of one case. Seconds of one execution, transfers between host and GPU apart; set-up
// is what new points cost.
struct StudyRow {
  StudyCase c;
  std::string variant;  // "cuda gm-sort", "cuda tensor, alpha 2", "cpu blocked", "tensor, 2 threads"
  // "forward", "adjoint", "forward + adjoint", or empty if the row does not show an execution
  std::string direction;
  int dims = 3;
  Candidate candidate;  // options, stage timings, error model; what nothing was timed for holds none
  double seconds = 0, transferSeconds = 0, setUpSeconds = 0;
  double speedUp = 0;  // over the baseline of the case and direction; 0: no baseline
  // The row's place in the study's chart: panel, line, and x. A row without a panel is not in the
  // chart.
  std::string panel, series;
  double x = 0, y = 0;
  double yLow = 0, yHigh = 0;  // quartiles of y over the repeats; both 0: not known
  bool timedOnce = false;      // y rests on a time that was taken once: nobody knows its spread
  std::string refused;         // why it could not run, or empty
};

// The axes of the study's chart: names with units, and labels of x = 0, 1, 2 ... if x is not a
// number.
struct StudyAxes {
  std::string x, y;
  bool logX = false, logY = false;
  std::vector<std::string> categories;
};

struct StudyResult {
  StudyRequest request;  // nothing left open but accelerations that follow from the size
  std::string title, source;
  StudyAxes axes;
  std::vector<StudyRow> rows;
  MachineLoad load;        // while it ran
  bool cancelled = false;  // the rows are then what was done
  // The division into shards: `cases` is the number of cases; each row has 1 + its case, 0 if it is
  // before all cases, more than `cases` if after all. A shard has the rows of its cases; the first
  // shard also has the rows without a case.
  std::size_t cases = 0;
  std::vector<std::size_t> places;
};

using StudySeen = std::function<void(const StudyRow&, const StudyAxes&)>;

// The parts of a request that a study uses, sizes apart: runStudy refuses a request with others.
struct StudyUses {
  bool accelerations = false, accuracies = false, patterns = false, threads = false, trials = false;
  bool crowdedSums = false;
  bool ranks = false;                         // and the devices that they share
  bool alphas = true, severalAlphas = false;  // a ratio; several beside each other
  bool gpu = false, plugins = false;          // backends beside the CPU that take part
};

struct StudyInfo {
  std::string name, title, source;  // the source: the paper's figures or tables
  // The agreement with the paper, and the differences, including everything left out of the figure.
  std::string same, differs;
  // The first parts of its variants' names, and the executed operations (StudyRow::direction),
  // complete. A variant that this machine cannot run has a refused row.
  std::vector<std::string> methods, operations;
  bool whole = false;  // its rows follow from all cases together: no suite and no shard splits it
  StudyUses uses = {};
};
const std::vector<StudyInfo>& studies();
StudyRequest studyDefaults(const std::string& name);  // the paper's; throws Error for an unknown study
// Without the parts that the study does not use, which runStudy refuses. Throws Error for an
// unknown study.
StudyRequest usedPart(StudyRequest request);
// Each row is handed to `seen` when it is done, with the chart's axes. Throws Error for an unknown
// study, pattern, sizes out of range, or what the study does not use. Of a study that is whole,
// shard 1 runs all, the others none. ranks: processes that all run a study of ranks, each with its
// own device; rows are on the first.
StudyResult runStudy(std::span<NufftBackend* const> backends, const StudyRequest& request,
                     const Progress& progress, const StudySeen& seen = {}, const Shard& shard = {},
                     Ranks* ranks = nullptr);

}  // namespace spokelab
