#include "engine/recon/sense/rank_sense_run.h"

#include <numeric>

#include "engine/recon/operators/rank_space.h"

namespace spokelab {
namespace {

std::unique_ptr<SenseRun> runOnHost(TransformBackend& backend, const SenseProblem& problem,
                                    const std::vector<int>& coils, const SlabShare& slabs, Ranks& ranks) {
  const int threads = problem.nufft.threads;
  if (problem.precision == Precision::double64)
    return std::make_unique<RankSenseRun<RankSpace<double>>>(backend, problem, coils, slabs, ranks, threads);
  return std::make_unique<RankSenseRun<RankSpace<float>>>(backend, problem, coils, slabs, ranks, threads);
}

}  // namespace

std::unique_ptr<SenseRun> rankSenseRunOnHost(Ranks& ranks, TransformBackend& backend,
                                             const SenseProblem& problem, const std::vector<int>& share) {
  return runOnHost(backend, problem, share, {}, ranks);
}

std::unique_ptr<SenseRun> slabSenseRunOnHost(TransformBackend& backend, const SenseProblem& problem,
                                             const SlabShare& share) {
  std::vector<int> coils(problem.coils.size());
  std::iota(coils.begin(), coils.end(), 0);
  return runOnHost(backend, problem, coils, share, *share.ranks);
}

}  // namespace spokelab
