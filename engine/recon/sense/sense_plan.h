// What SENSE makes ready before it sees samples: transforms, weights and maps, in the memory of a
// space. One plan serves all sets of samples that share points, weights and field.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/measure/trace_part.h"
#include "engine/core/parallel_sum.h"
#include "engine/recon/operators/sense_operator.h"
#include "engine/recon/sense/chosen_path.h"
#include "engine/recon/sense/path_search.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

template <VectorSpace Space>
struct SensePlan {
  std::vector<ShotGroup> shots;
  std::optional<SenseProblem> chosen;  // without coils, with the path that was found
  std::optional<SenseOperator<Space>> op;
  double weightSquares = 0;  // sum of (W / D)^2
  std::vector<std::string> notes;
};

template <VectorSpace Space>
void setSenseMaps(const SenseProblem& problem, SenseOperator<Space>& op) {
  using Complex = typename Space::Complex;
  if constexpr (std::is_same_v<Complex, cfloat>) {
    const BackendMaps* const there = problem.backendMaps.get();
    op.setMaps(there ? there->data() : problem.maps.data(), there != nullptr);
  } else {
    const std::vector<cfloat> given = hostMaps(problem);
    const std::vector<Complex> maps(given.begin(), given.end());
    op.setMaps(maps.data());
  }
}

// problem: valid; plan: an empty one. Throws Error, Cancelled.
template <VectorSpace Space>
void makeSensePlan(Space& space, TransformBackend& backend, const SenseProblem& problem,
                   SensePlan<Space>& plan, const Progress& progress) {
  using Complex = typename Space::Complex;
  const int threads = problem.nufft.threads;
  const std::int64_t pixels = product(problem.matrix);
  const auto upload = [&](const Buffer<Complex>& values) {
    typename Space::Vector v = space.make(std::int64_t(values.size()));
    space.upload(values.data(), v.data(), std::int64_t(values.size()));
    return v;
  };
  plan.shots = shotGroups(problem);
  double total = 0;
  for (const ShotGroup& group : plan.shots) {
    const auto count = std::int64_t(group.samples.size());
    total += problem.weights.empty() ? double(count) : sumOver<double>(count, threads, [&](std::int64_t i) {
      return problem.weights[std::size_t(group.samples[std::size_t(i)])];
    });
  }
  if (!(total > 0))
    throw Error("Cannot reconstruct iteratively", "all weights are zero",
                "Use density = none, or other weights");

  if (problem.transform == TransformKind::automatic && fieldActs(problem))  // nobody has tuned yet
    plan.chosen = withPath(backend, problem, plan.shots.front(), plan.notes, progress);
  const SenseProblem& transformed = plan.chosen ? *plan.chosen : problem;
  std::vector<typename SenseOperator<Space>::Group> groups;
  for (const ShotGroup& shot : plan.shots) {
    progress.report(double(groups.size()) / double(plan.shots.size()), "Planning transforms");
    typename SenseOperator<Space>::Group group;
    group.transform =
        makeGroupTransform(space, backend, transformed, transformed.transform, shot, plan.notes, progress);
    Buffer<double> weights = groupWeights(problem, shot);
    if (weights.empty()) weights.assign(shot.samples.size(), 1);
    plan.weightSquares += sumOver<double>(std::int64_t(weights.size()), threads, [&](std::int64_t i) {
      double& w = weights[std::size_t(i)];
      w /= total;
      return w * w;
    });
    {
      const TracePart traced("weights set");  // and a Toeplitz form made of them, on the GPU
      group.transform->setWeights(weights);
      group.weights = space.make(std::int64_t(weights.size()));
      space.uploadReal(weights.data(), group.weights.data(), std::int64_t(weights.size()));
    }
    group.weighted = true;
    if (shot.phase >= 0) {
      Buffer<Complex> phase(static_cast<std::size_t>(pixels));
      for (std::size_t i = 0; i < phase.size(); ++i)
        phase[i] = Complex(std::polar(1.0, problem.phases[std::size_t(shot.phase)][i]));
      group.phase = upload(phase);
      group.phased = true;
    }
    groups.push_back(std::move(group));
  }
  std::sort(plan.notes.begin(), plan.notes.end());
  plan.notes.erase(std::unique(plan.notes.begin(), plan.notes.end()), plan.notes.end());
  plan.op.emplace(space, std::move(groups), problem.mapSets, std::int64_t(problem.coils.size()), pixels);
  setSenseMaps(problem, *plan.op);
}

}  // namespace spokelab
