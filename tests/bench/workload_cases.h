// The workloads of bench_workloads: simulated scans, and what a reconstruction of each asks of the
// tuner (scanProblem, tuneRequest).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/recon/explore/preview.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab::bench {

struct WorkloadCase {
  std::string name;
  SimulateOptions scan;
  ReconOptions options;
  int framesOfTheirOwn = 0;  // frames that bring new points each; 0: all share the scan's
  bool preview = false;
};

// One problem as the tuner gets it, and as the job runs it.
struct WorkloadJob {
  std::string name;
  std::shared_ptr<const Scan> scan;  // in a field: the job is its reconstruction; else null
  ScanProblem problem;
  ReconOptions options;
  TuneRequest request;  // of problem
};

inline WorkloadCase workloadCase(const char* name, Pattern pattern, Index3 matrix, double acceleration,
                                 int coils) {
  WorkloadCase c;
  c.name = name;
  c.scan.trajectory.pattern = pattern;
  c.scan.trajectory.matrix = matrix;
  c.scan.trajectory.acceleration = acceleration;
  c.scan.coils = coils;
  return c;
}

inline std::vector<WorkloadCase> workloadCases() {
  constexpr Index3 plane{256, 256, 1}, volume{96, 96, 96}, large{128, 128, 128};
  constexpr int senseIterations = 20, pcSenseIterations = 10, shots = 4;
  constexpr double peakHz = 80;
  std::vector<WorkloadCase> cases;
  cases.push_back(workloadCase("gridding, one frame", Pattern::goldenRadial3d, large, 8, 8));
  cases.push_back(workloadCase("gridding, 200 frames", Pattern::goldenRadial2d, plane, 8, 8));
  cases.back().framesOfTheirOwn = 200;
  cases.push_back(workloadCase("SENSE", Pattern::radial3d, volume, 8, 8));
  cases.back().options.iterative.method = ReconMethod::sense;
  cases.back().options.iterative.solver.iterations = senseIterations;
  cases.push_back(workloadCase("pcSENSE", Pattern::spiral2d, plane, 1, 8));
  cases.back().scan.trajectory.shots = shots;
  cases.back().options.iterative.method = ReconMethod::pcSense;
  cases.back().options.iterative.solver.iterations = pcSenseIterations;
  cases.push_back(workloadCase("field-corrected SENSE", Pattern::spiral2d, {96, 96, 1}, 1, 4));
  cases.back().scan.trajectory.shots = shots;
  cases.back().scan.offResonance = {FieldShape::head, peakHz};
  cases.back().options.iterative.method = ReconMethod::sense;
  cases.back().options.iterative.solver.iterations = senseIterations;
  cases.push_back(workloadCase("preview", Pattern::radial3d, large, 4, 8));
  cases.back().preview = true;
  cases.push_back(workloadCase("forward", Pattern::random, large, 4, 1));
  cases.back().options.tuning.direction = Direction::forward;
  cases.back().options.tuning.reuse = Workload::unlimited;
  cases.push_back(workloadCase("batch 16", Pattern::radial2d, plane, 1, 16));
  cases.back().options.coilsAtOnce = 16;
  cases.back().options.tuning.reuse = 20;
  return cases;
}

// Made once for each backend and accuracy: what it returns refers to itself.
inline std::unique_ptr<WorkloadJob> workloadJob(const WorkloadCase& c,
                                                const std::shared_ptr<const Scan>& simulated,
                                                Backend& backend, Precision precision, double accuracy,
                                                int threads) {
  auto job = std::make_unique<WorkloadJob>();
  job->name = c.name;
  job->options = c.options;
  job->options.precision = precision;
  job->options.nufft.accuracy = accuracy;
  job->options.nufft.threads = threads;
  job->options.backend = backend.name();
  job->options.iterative.solver.tolerance = 0;  // all iterations
  if (c.scan.offResonance.shape != FieldShape::none) job->scan = simulated;
  if (c.preview) {
    const PreviewLimits limits;
    const auto small = previewScan(*simulated, 0, job->options, backend, limits, {});
    job->options = previewOptions(job->options, *small, limits);
    job->problem = scanProblem(*small, job->options);
  } else {
    Scan scan = *simulated;
    if (c.framesOfTheirOwn > 0) {
      scan.trajectories.assign(static_cast<std::size_t>(c.framesOfTheirOwn), simulated->trajectory(0));
      scan.frames = c.framesOfTheirOwn;
    }
    job->problem = scanProblem(scan, job->options);
  }
  job->request = tuneRequest(job->problem, job->options);
  return job;
}

}  // namespace spokelab::bench
