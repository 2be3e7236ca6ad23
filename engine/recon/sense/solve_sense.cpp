#include "engine/recon/sense/solve_sense.h"

#include "engine/recon/sense/joint_solver.h"
#include "engine/recon/sense/sense_run.h"

namespace spokelab {

std::unique_ptr<SenseRun> senseRunOnHost(TransformBackend& backend, const SenseProblem& problem) {
  const int threads = problem.nufft.threads;
  if (problem.precision == Precision::double64)
    return std::make_unique<SpaceSenseRun<HostSpace<double>>>(backend, problem, threads);
  return std::make_unique<SpaceSenseRun<HostSpace<float>>>(backend, problem, threads);
}

std::unique_ptr<SenseRun> jointRunOnHost(TransformBackend& backend, const std::vector<SenseProblem>& frames) {
  const int threads = frames.front().nufft.threads;
  if (frames.front().precision == Precision::double64)
    return std::make_unique<SpaceJointRun<HostSpace<double>>>(backend, frames, threads);
  return std::make_unique<SpaceJointRun<HostSpace<float>>>(backend, frames, threads);
}

}  // namespace spokelab
