// The part of SENSE that does not depend on samples: transforms, weights and maps, in the memory of
// a space. One plan serves all sets of samples that share points, weights and field; plain NUFFTs
// take other points and weights, and keep their grids and tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/measure/spans.h"
#include "engine/core/parallel_sum.h"
#include "engine/recon/operators/sense_operator.h"
#include "engine/recon/sense/paths/chosen_path.h"
#include "engine/recon/sense/paths/path_search.h"
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

// Sum of the weights of all groups. Throws Error where it is 0.
inline double totalWeight(const SenseProblem& problem, const std::vector<ShotGroup>& groups) {
  double total = 0;
  for (const ShotGroup& group : groups) {
    const auto count = std::int64_t(group.samples.size());
    total += problem.weights.empty() ? double(count)
                                     : sumOver<double>(count, problem.nufft.threads, [&](std::int64_t i) {
                                         return problem.weights[std::size_t(group.samples[std::size_t(i)])];
                                       });
  }
  if (!(total > 0))
    throw Error("Cannot reconstruct iteratively", "all weights are zero",
                "Use density = none, or other weights");
  return total;
}

// The weights of a group, over the `total` of all groups, into the space and the group's transform.
template <VectorSpace Space>
void setGroupWeights(Space& space, const SenseProblem& problem, const ShotGroup& shot, double total,
                     typename SenseOperator<Space>::Group& group, SensePlan<Space>& plan) {
  const auto count = std::int64_t(shot.samples.size());
  group.placedWeights = nullptr;
  if (!problem.weights.empty() && count > 0 && shot.samples.contiguous()) {
    const auto given = std::span<const double>(problem.weights)
                           .subspan(std::size_t(shot.samples.front()), std::size_t(count));
    const Span traced("weights set");
    group.placedWeights = group.transform->placeWeights(given, total, space.execution());
    if (group.placedWeights) {
      plan.weightSquares += sumOver<double>(count, problem.nufft.threads, [&](std::int64_t i) {
        const double w = given[std::size_t(i)] / total;
        return w * w;
      });
      return;
    }
  }
  Buffer<double> weights = groupWeights(problem, shot);
  if (weights.empty()) weights.assign(shot.samples.size(), 1);
  plan.weightSquares += sumOver<double>(count, problem.nufft.threads, [&](std::int64_t i) {
    double& w = weights[std::size_t(i)];
    w /= total;
    return w * w;
  });
  const Span traced("weights set");  // and a Toeplitz form made of them, on the GPU
  group.transform->setWeights(weights);
  if (std::int64_t(group.weights.size()) != count) group.weights = space.make(count);
  space.uploadReal(weights.data(), group.weights.data(), count);
}

// True if renewPoints() can use the plan: it has one transform for all shots, which takes points.
template <VectorSpace Space>
bool takesPoints(const SenseProblem& problem, const SensePlan<Space>& plan) {
  return plan.op && plan.op->groups() == 1 && problem.phases.empty() && plan.op->transform(0).takesPoints();
}

// Gives a plan that takesPoints() points and weights. Throws Error; the plan is then unusable.
template <VectorSpace Space>
void renewPoints(Space& space, const SenseProblem& problem, SensePlan<Space>& plan) {
  plan.shots = shotGroups(problem);
  plan.weightSquares = 0;
  const ShotGroup& shot = plan.shots.front();
  typename SenseOperator<Space>::Group& group = plan.op->group(0);
  Buffer<double> room;
  group.transform->setPoints(pointsAt(problem, groupCoordinates(problem, shot, room)));
  setGroupWeights(space, problem, shot, totalWeight(problem, plan.shots), group, plan);
}

// problem: valid; plan: an empty one. Throws Error, Cancelled.
template <VectorSpace Space>
void makeSensePlan(Space& space, TransformBackend& backend, const SenseProblem& problem,
                   SensePlan<Space>& plan, const Progress& progress) {
  using Complex = typename Space::Complex;
  const std::int64_t pixels = product(problem.matrix);
  const auto upload = [&](const Buffer<Complex>& values) {
    typename Space::Vector v = space.make(std::int64_t(values.size()));
    space.upload(values.data(), v.data(), std::int64_t(values.size()));
    return v;
  };
  plan.shots = shotGroups(problem);
  const double total = totalWeight(problem, plan.shots);
  if (problem.transform == TransformKind::automatic && fieldActs(problem))  // nobody has tuned yet
    plan.chosen = withPath(backend, problem, plan.shots.front(), plan.notes, progress);
  const SenseProblem& transformed = plan.chosen ? *plan.chosen : problem;
  std::vector<typename SenseOperator<Space>::Group> groups;
  for (const ShotGroup& shot : plan.shots) {
    progress.report(double(groups.size()) / double(plan.shots.size()), "Planning transforms");
    typename SenseOperator<Space>::Group group;
    group.transform =
        makeGroupTransform(space, backend, transformed, transformed.transform, shot, plan.notes, progress);
    setGroupWeights(space, problem, shot, total, group, plan);
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
