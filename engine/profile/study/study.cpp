#include "engine/profile/study/study.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/profile/study/study_error.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_resampling.h"
#include "engine/profile/study/study_rows.h"
#include "engine/profile/study/study_run.h"
#include "engine/profile/study/study_scheduler.h"
#include "engine/profile/study/study_tuned.h"

namespace spokelab {
namespace {

constexpr int minSize = 8, maxSize = 1024, maxThreads = 1024;

StudyRequest paper(std::vector<int> sizes, std::vector<double> accelerations, std::vector<double> accuracies,
                   std::vector<std::string> patterns) {
  StudyRequest request;
  request.sizes = std::move(sizes);
  request.accelerations = std::move(accelerations);
  request.accuracies = std::move(accuracies);
  request.patterns = std::move(patterns);
  return request;
}

struct StudyDefinition {
  StudyInfo info;
  StudyAxes axes;
  std::function<void(StudyRun&)> run;
  StudyRequest paper;  // what it used
};

const std::vector<StudyDefinition>& definitions() {
  const std::vector<int> all = {62, 94, 126, 158, 190, 222, 254};
  const std::vector<double> r = {1, 4, 16}, both = {1e-2, 1e-3};
  const std::vector<std::string> four = {"radial3d", "stack-of-stars", "cones", "random"};
  // multicore-nufft: radial, random (Gaussian) and spiral; each size has a sampling rate of its own
  const std::vector<double> bySize = {};
  const std::vector<std::string> three = {"radial3d", "gaussian", "stack-of-spirals"};
  const std::string alpha = "oversampling ratio", speedUp = "speed-up over the CPU",
                    perPoint = "time a point / ns", side = "image size N", threads = "threads",
                    milliseconds = "time / ms", gain = "speed-up over one thread";
  static const std::vector<StudyDefinition> list = {
      {{"window-error", "Error of precomputations over the kernel's width", "nfft-jl Fig. 1"},
       {"half width m", "largest error / largest value", false, true, {}},
       studyWindowError,
       paper({64}, {1}, {}, {"random"})},
      {{"blocks", "Time over the block size", "nfft-jl Fig. 3"},
       {"side of a block / grid cells", milliseconds, true, true, {}},
       studyBlocks,
       paper({64}, {1}, {}, {"random"})},
      {{"single-thread", "Time of precomputations over their error, one thread", "nfft-jl Fig. 4"},
       {"largest error / largest value", milliseconds, true, true, {}},
       studySingleThread,
       paper({64}, {1}, {}, {"random"})},
      {{"threads", "Time and parallel efficiency of precomputations over threads", "nfft-jl Fig. 5"},
       {threads, "time / ms, efficiency", false, false, {}},
       studyThreads,
       paper({64}, {1}, {}, {"random"})},
      {{"sequential-stages", "Where the time goes, sequential", "multicore-nufft Fig. 3"},
       {"pattern", "share of the time / %", false, false, {}},
       studySequentialStages,
       paper({256}, bySize, {}, three)},
      {{"parallel-stages", "Where the time goes, parallel", "multicore-nufft Fig. 8"},
       {"pattern", "share of the time / %", false, false, {}},
       studyParallelStages,
       paper({256}, bySize, {}, three)},
      {{"gains", "Speed-up with successive parts of the scheduler", "multicore-nufft Fig. 9"},
       {"with", "speed-up over the first", false, false, {}},
       studyGains,
       paper({256}, bySize, {}, three)},
      {{"partitions", "Fixed and variable partitions over threads", "multicore-nufft Fig. 11"},
       {threads, gain, false, false, {}},
       studyPartitions,
       paper({128, 256, 320}, bySize, {}, {"radial3d"})},
      {{"privatisation", "Private copies and priority queue over threads", "multicore-nufft Fig. 12"},
       {threads, gain, false, false, {}},
       studyPrivatisation,
       paper({128, 256, 320}, bySize, {}, {"radial3d"})},
      {{"aliasing", "Largest aliasing amplitude over the kernel's width", "gnufftw Fig. 3"},
       {"kernel width W", "largest aliasing amplitude", false, true, {}},
       studyAliasing,
       paper({128}, {}, {}, {})},
      {{"alpha", "Time over the oversampling ratio", "gnufftw Fig. 6"},
       {alpha, milliseconds, false, false, {}},
       studyAlpha,
       paper({158}, r, {1e-2}, {"stack-of-stars"})},
      {{"best-alpha", "Best oversampling ratio", "gnufftw Fig. 7"},
       {"acceleration R", alpha, true, false, {}},
       studyBestAlpha,
       paper(all, r, both, four)},
      {{"fixed-alpha", "Tuned against fixed oversampling ratios", "gnufftw Fig. 8"},
       {side, speedUp, false, false, {}},
       studyFixedAlpha,
       paper({126, 158, 190, 222, 254}, r, {1e-2}, four)},
      {{"implementations", "Implementations against the CPU", "gnufftw Figs 9 and 10"},
       {side, speedUp, false, false, {}},
       studyImplementations,
       paper(all, r, both, four)},
      {{"row-lengths", "Row lengths of the sparse matrices", "gnufftw Fig. 11"},
       {"entries in a row", "rows", false, true, {}},
       studyRowLengths,
       paper({64}, {1}, {1e-2}, four)},
      {{"row-deviations", "Standard deviation of the row lengths", "gnufftw Table III"},
       {"pattern", "deviation of a row's entries", false, true, {}},
       studyRowDeviations,
       paper({64}, {1}, {1e-2}, four)},
      {{"spreading", "Spreading methods", "cufinufft Fig. 2"},
       {side, perPoint, false, true, {}},
       studySpreading,
       paper({32, 64, 128, 256}, {1}, {1e-5}, {"random", "clustered"})},
      {{"interpolation", "Interpolation methods", "cufinufft Fig. 3"},
       {side, perPoint, false, true, {}},
       studyInterpolation,
       paper({32, 64, 128, 256}, {1}, {1e-5}, {"random"})}};
  return list;
}

const StudyDefinition& definitionOf(const std::string& name) {
  std::string known;
  for (const StudyDefinition& d : definitions()) {
    if (d.info.name == name) return d;
    known += (known.empty() ? "" : ", ") + d.info.name;
  }
  throw Error("There is no study \"" + name + "\"", "the studies are " + known, "Name one of these");
}

std::vector<int> threadCounts() {
  std::vector<int> counts;
  for (int t = 1; t < hardwareThreads(); t *= 2) counts.push_back(t);
  counts.push_back(hardwareThreads());
  return counts;
}

template <class T>
void fillIn(std::vector<T>& asked, const std::vector<T>& paper) {
  if (asked.empty()) asked = paper;
}

StudyRequest settled(const StudyRequest& asked, const StudyDefinition& definition) {
  StudyRequest request = asked;
  fillIn(request.sizes, definition.paper.sizes);
  fillIn(request.accelerations, definition.paper.accelerations);
  fillIn(request.accuracies, definition.paper.accuracies);
  fillIn(request.threads, threadCounts());
  if (request.patterns.empty()) {
    const auto known = studyPatterns();
    for (const std::string& pattern : definition.paper.patterns)
      if (std::find(known.begin(), known.end(), pattern) != known.end()) request.patterns.push_back(pattern);
  }
  for (const int size : request.sizes)
    if (size < minSize || size > maxSize)
      throw Error("Cannot run the study with size " + std::to_string(size),
                  "sizes go from " + std::to_string(minSize) + " to " + std::to_string(maxSize),
                  "Choose other sizes");
  for (const double r : request.accelerations)
    if (!(r >= 1.0 / 16 && r <= 1024))
      throw Error("Cannot run the study with acceleration " + numberText(r),
                  "accelerations go from 1/16 to 1024", "Choose other accelerations");
  for (const int threads : request.threads)
    if (threads < 1 || threads > maxThreads)
      throw Error("Cannot run the study on " + std::to_string(threads) + " threads",
                  "threads go from 1 to " + std::to_string(maxThreads), "Choose other threads");
  return request;
}

}  // namespace

const std::vector<StudyInfo>& studies() {
  static const std::vector<StudyInfo> infos = [] {
    std::vector<StudyInfo> list;
    for (const StudyDefinition& d : definitions()) list.push_back(d.info);
    return list;
  }();
  return infos;
}

StudyRequest studyDefaults(const std::string& name) {
  StudyRequest request;
  request.study = name;
  return settled(request, definitionOf(name));
}

StudyResult runStudy(std::span<NufftBackend* const> backends, const StudyRequest& asked,
                     const Progress& progress, const StudySeen& seen) {
  const StudyDefinition& definition = definitionOf(asked.study);
  StudyResult result;
  result.request = settled(asked, definition);
  result.title = definition.info.title;
  result.source = definition.info.source;
  result.axes = definition.axes;
  StudyRun run(backends, result, progress, seen);
  try {
    definition.run(run);
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  return result;
}

}  // namespace spokelab
