// The result of a reconstruction: its image, and everything a report, a session or a view tells
// about it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/measure/energy.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/tune/result/tune_result.h"
#include "engine/recon/job/job_account.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/sense/iteration_parts.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The origin of a result's image. Only reconstructed images have a plan.
enum class ResultOrigin { reconstructed, phantom, file, pointSpread };

// The record of the iterations of one frame and slice.
struct IterationRecord {
  int frame = 0, slice = 0;
  std::string transform;                   // in words
  std::vector<double> residuals, seconds;  // one an iteration; relative, of the normal equations
  double planningSeconds = 0;
  bool converged = false;
  std::string ending;  // why they ended, in words
  std::vector<LambdaChange> lambdaChanges;
  std::vector<IterationParts> parts;  // of each iteration; empty: they are not told apart
  std::vector<double> objectives;     // of each iteration, of methods that know it; else empty
};

// The mean over all iterations of all frames and slices, and their number; 0: none is told apart.
struct MeanIteration {
  std::size_t count = 0;
  IterationParts parts;
};
MeanIteration meanIteration(const std::vector<IterationRecord>& records);

// "lambda 0.001 -> 0.1 after iteration 4 of frame 0, slice 0", for each change.
std::vector<std::string> lambdaNotes(const IterationRecord& record);

// The part of a job that one of several machines or devices did.
struct RankAccount {
  std::string host;
  std::vector<int> share;  // of frames, slices, coils or slabs
  double seconds = 0;      // reading, coil maps, reconstruction; without tuning and waiting at the end
  double speed = 1;        // beside the fastest one, as measured before the job was divided
};

struct Reconstruction {
  ResultOrigin origin = ResultOrigin::reconstructed;
  std::shared_ptr<const Image> image;        // null where it was cancelled before one was complete
  ReconOptions options;                      // as asked; lambda as it was at last
  PlanInfo plan;                             // as used
  std::shared_ptr<const TuneResult> tuning;  // null where nothing was tuned (alpha and width given, exact)
  // The model as an expression, before and after rewriting (model/job_model.h): names and texts.
  std::vector<std::pair<std::string, std::string>> model;
  StageTimings timings;  // all executions, summed
  std::string density;   // where the density weights came from, in words
  std::vector<std::string> notes;
  std::vector<IterationRecord> iterations;  // iterative methods
  double seconds = 0;                       // wall time, tuning included, pauses not
  JobAccount account;                       // where `seconds` went; files too where the caller adds them
  // The expected account, stage by stage, from earlier jobs on this machine; total 0: not known.
  JobAccount forecast;
  JobMemory memory;  // what it was said to take before it began
  EnergyUse energy;  // of the whole machine meanwhile, tuning included
  // Seconds from each frame's samples and points to its image, or its share of frames that are made
  // together; without the first frame, which waits for the plan and the coil maps.
  std::vector<double> frameSeconds;
  double pausedSeconds = 0;
  double tuningSeconds = 0;
  std::string divided;             // "frames", "slices", "coils" among `ranks`; empty: one did it all
  std::vector<RankAccount> ranks;  // machines or devices
  bool cancelled = false;
};

// Adds the notes that the result does not have yet.
void addNotes(Reconstruction& result, const std::vector<std::string>& notes);

// Quantiles of frameSeconds, by nearest rank; count 0: one frame.
struct FrameLatency {
  std::int64_t count = 0;
  double median = 0, p99 = 0, longest = 0;
};
FrameLatency frameLatency(const Reconstruction& result);
// "4.1 ms in the median, 5.2 ms at 99 %, 6 ms at most (119 frames after the first)"; empty: there
// was one frame.
std::string frameLatencyText(const Reconstruction& result);

// "7.1e-06", or that none was predicted (exact sums, field corrections).
std::string predictedErrorText(const PlanInfo& plan);

// No reconstruction of samples: the plan has a description, and neither backend nor options.
inline bool isImported(const Reconstruction& result) {
  return result.origin != ResultOrigin::reconstructed;
}

// Names that files have in place of the plan's backend: "truth", "file", "psf"; reconstructed: "".
std::string_view resultOriginName(ResultOrigin);
// Any other name is a backend's: reconstructed.
ResultOrigin resultOriginFromName(std::string_view name);

}  // namespace spokelab
