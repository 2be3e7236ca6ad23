// The groups of shots of a SenseProblem, and the transform of each: what SENSE is solved over.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/field/segmented_toeplitz.h"
#include "engine/recon/job/plain_nufft.h"
#include "engine/recon/operators/nufft_transform.h"
#include "engine/recon/sense/sample_list.h"
#include "engine/recon/sense/sense_problem.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

// Samples of a group in its order, and the shot whose phase it has (-1: none).
struct ShotGroup {
  SampleList samples;
  std::int64_t shots = 1;  // of equal length, or 1
  int phase = -1;
};
// SENSE: all shots that take part; pcSENSE: a group a shot.
std::vector<ShotGroup> shotGroups(const SenseProblem& problem);

// The exact transform of a group. intravoxel: GdftR2.
GdftProblem gdftProblem(const SenseProblem& problem, const ShotGroup& group, bool intravoxel = false);
// A group's coordinates, cycles per FOV [sample, dims]: in place, or gathered into `room`.
std::span<const double> groupCoordinates(const SenseProblem& problem, const ShotGroup& group,
                                         Buffer<double>& room);
// Coordinates in cycles per FOV as points of a plan. `coordinates` outlive the points.
PlanPoints pointsAt(const SenseProblem& problem, std::span<const double> coordinates);
// A group's points, with the solving backend's copy, if any; `room` as above.
PlanPoints planPoints(const SenseProblem& problem, const ShotGroup& group, Buffer<double>& room);
// Points of a group in cycles per pixel.
Buffer<double> groupPoints(const SenseProblem& problem, const ShotGroup& group);
// The problem's weights [sample] of a group; empty if the problem has none.
Buffer<double> groupWeights(const SenseProblem& problem, const ShotGroup& group);

// Options of the NUFFTs of time segments: `options` at half the error; the segments have the other
// half. The width is kept if it is large enough.
NufftOptions segmentNufft(const SenseProblem& problem, NufftOptions options);
// Options of the convolutions of segmentedToeplitz: likewise, by a Toeplitz form.
NufftOptions convolutionNufft(const SenseProblem& problem, NufftOptions options);
// The NUFFT of the problem's matrix for `batch` images.
NufftProblem nufftProblem(const SenseProblem& problem, std::int64_t batch);

// A plan for a group's points. If a Toeplitz normal operator is not possible, a note says so and
// the gridded one is taken.
template <class Real>
std::unique_ptr<NufftTransform<Real>> makeNufftTransform(TransformBackend& backend,
                                                         const SenseProblem& problem, const ShotGroup& group,
                                                         std::int64_t batch, std::vector<std::string>& notes,
                                                         NufftOptions options) {
  NufftProblem nufft = nufftProblem(problem, batch);
  nufft.precision = std::is_same_v<Real, float> ? Precision::single : Precision::double64;
  Buffer<double> room;
  const PlanPoints points = planPoints(problem, group, room);
  const auto make = [&] {
    return std::make_unique<NufftTransform<Real>>(
        planInSlabs<Real>(backend, nufft, options, problem.slabs, problem.slabShare), points);
  };
  if (isToeplitz(options.normal)) try {
      return make();
    } catch (const Error& error) {
      notes.push_back("the Toeplitz normal operator is not used: " + error.reason());
      options.normal = NormalMethod::gridded;
    }
  return make();
}

template <VectorSpace Space>
std::unique_ptr<SampleTransform<typename Space::Real>> makeSegments(Space& space, TransformBackend& backend,
                                                                    const SenseProblem& problem,
                                                                    const ShotGroup& group,
                                                                    std::vector<std::string>& notes,
                                                                    const Progress& progress) {
  using Real = typename Space::Real;
  return makeSegmented<Space>(
      space, gdftProblem(problem, group), problem.interpolator, problem.segments, problem.nufft.accuracy,
      [&](std::int64_t batch) {
        return makeNufftTransform<Real>(backend, problem, group, batch, notes,
                                        segmentNufft(problem, problem.nufft));
      },
      notes, progress);
}

template <VectorSpace Space>
std::unique_ptr<SampleTransform<typename Space::Real>> makeGroupTransform(
    Space& space, TransformBackend& backend, const SenseProblem& problem, TransformKind kind,
    const ShotGroup& group, std::vector<std::string>& notes, const Progress& progress) {
  using Real = typename Space::Real;
  switch (kind) {
    case TransformKind::gdft:
    case TransformKind::gdftR2:
      return backend.gdft<Real>(gdftProblem(problem, group, kind == TransformKind::gdftR2),
                                problem.nufft.threads);
    case TransformKind::segmented:
      return makeSegments<Space>(space, backend, problem, group, notes, progress);
    case TransformKind::segmentedToeplitz:
      return makeSegmentedToeplitz<Space>(
          space, gdftProblem(problem, group),
          makeSegments<Space>(space, backend, problem, group, notes, progress), problem.convolutions,
          problem.nufft.accuracy,
          [&] {
            return std::make_unique<NufftTransform<Real>>(
                backend.plan<Real>(nufftProblem(problem, problem.batch),
                                   convolutionNufft(problem, problem.nufft)),
                groupPoints(problem, group));
          },
          problem.nufft.threads, notes, progress);
    default:
      return makeNufftTransform<Real>(backend, problem, group, problem.batch, notes,
                                      plainNufft(kind, problem.nufft));
  }
}

}  // namespace spokelab
