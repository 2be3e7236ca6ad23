#include "engine/recon/sense/paths/chosen_path.h"

namespace spokelab {

SenseProblem withPath(TransformBackend& backend, const SenseProblem& problem, const ShotGroup& group,
                      std::vector<std::string>& notes, const Progress& progress) {
  const Buffer<double> points = groupPoints(problem, group);
  PathSearchRequest request;
  request.problem = transformPart(problem);
  if (group.phase >= 0) request.problem.shots = {group.phase};
  request.nufft.problem = nufftProblem(problem, problem.batch);
  request.nufft.points = points;
  request.nufft.options = problem.nufft;
  request.nufft.workload = {Direction::normal, Workload::unlimited, 1, true};
  TransformBackend* one = &backend;
  const TuneResult tuned =
      searchPaths(std::span<TransformBackend* const>(&one, 1), request, nullptr, progress);
  if (tuned.cancelled || tuned.best < 0) throw Cancelled{};
  const Candidate& best = tuned.candidates[std::size_t(tuned.best)];
  notes.push_back("transform: " + tuned.reason);
  SenseProblem chosen = transformPart(problem);
  chosen.nufft = best.options;
  chosen.transform = best.path.transform;
  chosen.interpolator = best.path.interpolator;
  return chosen;
}

}  // namespace spokelab
