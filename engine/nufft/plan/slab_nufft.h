// A transform of an image that is too large for one plan. The planes of its last axis (z of a
// volume) are divided into slabs of equal length. One plan of a slab's size with all points
// transforms them in turn. Slab s begins at plane a_s = s L of N; its plan counts planes from
// -floor(L/2), the image's from -floor(N/2), so that n = n' + n_s with n_s = a_s + floor(L/2) -
// floor(N/2), and
//   adjoint: slab s = adjoint of the samples times e^{-sign 2 pi i n_s k},
//   forward: samples = sum over s of e^{+sign 2 pi i n_s k} times the forward of slab s,
// k the points' coordinates of that axis. If L does not divide N, the last slab ends with planes of
// zeros. Every slab spreads or interpolates all points; grid and FFT have the size of a slab.
// Ranks may divide the slabs: each rank has a plan of all points and takes its slabs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

// The most slabs an image can be divided into: a plane each.
std::int64_t mostSlabs(const NufftProblem& imageProblem);
// The problem of the plan of one of `slabs` slabs. Throws Error for a number that is not 1 to
// mostSlabs().
NufftProblem slabProblem(const NufftProblem& imageProblem, std::int64_t slabs);
// Bytes of host memory that such a transform takes beside the plan of a slab; of its normal
// operator where `normal`.
double slabBytes(const NufftProblem& imageProblem, std::int64_t slabs, std::int64_t points, bool normal);

// The slabs that one of several ranks transforms. All ranks call forward() and normal() alike, with
// the same image: forward gives each of them the samples of the whole image. adjoint() gives the
// planes of the own slabs, and zeros elsewhere: the sum over ranks is the image. `progress`: a stop
// of it ends the wait for others.
struct SlabShare {
  Ranks* ranks = nullptr;  // null: one does all
  std::vector<int> slabs;  // from 0 on
  Progress progress;
};

// slab: a plan of slabProblem(whole, ...). Its normal operator is the gridded one; arrays are in
// host memory for every backend. PlanInfo::memory is the plan's memory. Throws Error if the plan
// has another problem or uses Toeplitz, or if the share names other slabs.
template <class Real>
std::unique_ptr<Nufft<Real>> makeSlabNufft(const NufftProblem& imageProblem,
                                           std::unique_ptr<Nufft<Real>> slab, const SlabShare& share = {});

// The options of a plan in slabs whose normal operator nobody applies.
inline NufftOptions withoutNormal(NufftOptions options, std::int64_t slabs) {
  if (slabs > 1 && options.normal == NormalMethod::automatic) options.normal = NormalMethod::later;
  return options;
}

// A plan of the backend, in `slabs` slabs; 1: the backend's plan without slabs. With more, the
// normal operator is gridded unless the options choose it.
template <class Real>
std::unique_ptr<Nufft<Real>> planInSlabs(NufftBackend& backend, const NufftProblem& imageProblem,
                                         const NufftOptions& options, std::int64_t slabs,
                                         const SlabShare& share = {}) {
  if (slabs == 1) return backend.plan<Real>(imageProblem, options);
  NufftOptions slabOptions = options;
  if (slabOptions.normal == NormalMethod::automatic) slabOptions.normal = NormalMethod::gridded;
  return makeSlabNufft<Real>(imageProblem, backend.plan<Real>(slabProblem(imageProblem, slabs), slabOptions),
                             share);
}

}  // namespace spokelab
