#include "engine/recon/sense/rank_sense_run.h"

#include "engine/recon/operators/rank_space.h"

namespace spokelab {

std::unique_ptr<SenseRun> rankSenseRunOnHost(Ranks& ranks, TransformBackend& backend,
                                             const SenseProblem& problem, const std::vector<int>& share) {
  const int threads = problem.nufft.threads;
  if (problem.precision == Precision::dbl)
    return std::make_unique<RankSenseRun<RankSpace<double>>>(backend, problem, share, ranks, threads);
  return std::make_unique<RankSenseRun<RankSpace<float>>>(backend, problem, share, ranks, threads);
}

}  // namespace spokelab
