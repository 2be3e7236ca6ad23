// The samples of a scan that are reconstructed: shots, samples of each shot, a window of time in
// the readout or over the scan. The selection is made once, before the coils are prepared and
// before any method or backend: the rest is a scan like one that was measured with those samples
// only. Density weights of the file are areas of the whole pattern, and are kept only where the
// options ask for the file's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/job/job_plan.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Names of the options that select samples or coils.
std::vector<std::string> selectionOptions();

// Empty: nothing is left out.
struct SampleChoice {
  std::vector<std::int64_t> samples;     // numbers in the frame's trajectory, ascending
  std::vector<std::int64_t> offsets{0};  // [shots + 1]: where each chosen shot begins among them
  std::vector<int> shots;                // numbers of the shots that keep at least one sample

  bool empty() const { return samples.empty(); }
};

// True if the options name shots, samples or a window of time.
bool selectsSamples(const ReconOptions& options);

// Empty where the options select no samples. Throws Error where nothing is left, a number is out of
// range, or the scan lacks the times that are asked for.
SampleChoice chooseSamples(const Scan& scan, int frame, const ReconOptions& options);

// The chosen part of the frame's trajectory; the file's weights if the options ask for them.
Trajectory selectedTrajectory(const Scan& scan, int frame, const ReconOptions& options,
                              const SampleChoice& choice);

// The scan with the samples only that the job's options choose; null where that is all of it.
// Frames that the job leaves out are empty. The result says so in its decisions (topic
// "selection"). Throws Error, Cancelled.
std::shared_ptr<const Scan> selectSamples(const Scan& scan, const JobPlan& job, const Progress& progress);

// `options` without shots, samples and windows of time; coils, frames and slices stay.
ReconOptions withoutSampleSelection(ReconOptions options);

// "shots 0-:4, coils 0-3": the options that select, as they were given; empty: none.
std::string selectionText(const ReconOptions& options);

// "120 of 804 shots, 11520 of their 30720 samples, 8 of 12 coils"; "all 804 shots" where nothing is
// left out. job: of the scan.
std::string describeSelection(const Scan& scan, int frame, const JobPlan& job, const SampleChoice& choice);

}  // namespace spokelab
