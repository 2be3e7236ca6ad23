// A transform of an image that is too large for one plan: the planes of its last axis (z of a volume)
// are taken in slabs of equal length, one after the other, by one plan of a slab's size with all points.
// Slab s begins at plane a_s = s L of N; its plan counts planes from -floor(L/2), the image's from
// -floor(N/2), so that n = n' + n_s with n_s = a_s + floor(L/2) - floor(N/2), and
//   adjoint: slab s = adjoint of the samples times e^{-sign 2 pi i n_s k},
//   forward: samples = sum over s of e^{+sign 2 pi i n_s k} times the forward of slab s,
// k the points' coordinates of that axis. The last slab ends with planes of zeros where L does not divide N.
// Every slab spreads or interpolates all points; grid and FFT are those of a slab.
// Ranks may divide the slabs: each has a plan of all points and takes its own slabs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

// The most slabs an image can be divided into: a plane each.
std::int64_t mostSlabs(const NufftProblem& whole);
// What the plan of one of `slabs` slabs transforms. Throws Error for a number that is not 1 to mostSlabs().
NufftProblem slabProblem(const NufftProblem& whole, std::int64_t slabs);
// Bytes of host memory that such a transform takes beside the plan of a slab; of its normal operator
// where `normal`.
double slabBytes(const NufftProblem& whole, std::int64_t slabs, std::int64_t points, bool normal);

// The slabs that one of several ranks transforms. All ranks call forward() and normal() alike, with the same image:
// forward gives each of them the samples of the whole image. adjoint() gives the planes of the own
// slabs, and zeros elsewhere: the sum over ranks is the image. `progress`: a stop of it ends the wait for others.
struct SlabShare {
  Ranks* ranks = nullptr;  // null: one does all
  std::vector<int> slabs;  // from 0 on
  Progress progress;
};

// slab: a plan of slabProblem(whole, ...). Its normal operator is the gridded one; arrays are in host
// memory, whatever the plan's backend is. PlanInfo::memory is that of the plan. Throws Error where the plan is
// of another problem or by Toeplitz, or the share is not of its slabs.
template <class Real>
std::unique_ptr<Nufft<Real>> makeSlabNufft(const NufftProblem& whole, std::unique_ptr<Nufft<Real>> slab,
                                           const SlabShare& share = {});

// A plan of the backend, in so many slabs; 1: the backend's own. With more, the normal operator is gridded
// where the options leave it open.
template <class Real>
std::unique_ptr<Nufft<Real>> planInSlabs(NufftBackend& backend, const NufftProblem& whole,
                                         const NufftOptions& options, std::int64_t slabs,
                                         const SlabShare& share = {}) {
  if (slabs == 1) return backend.plan<Real>(whole, options);
  NufftOptions own = options;
  if (own.normal == NormalMethod::automatic) own.normal = NormalMethod::gridded;
  return makeSlabNufft<Real>(whole, backend.plan<Real>(slabProblem(whole, slabs), own), share);
}

}  // namespace spokelab
