// Options of the iterations' regularisation and end.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/recon/options/denoiser.h"

namespace spokelab {

// The table of options has the first three; the others belong to methods (recipe_table.h).
enum class Regularization {
  tikhonov,
  roughness,
  totalVariation,
  wavelets,
  temporalVariation,
  locallyLowRank,
  jointWavelets,
  lowRankSparse,
  generalizedVariation,
  denoiser,
  lowRank
};
// True for regularizations of frames that one solve finds together.
bool comparesFrames(Regularization);

// The places of the blocks of low rank: always the same, others in each iteration, or the mean over
// 2^dims lattices half a block apart along each axis.
enum class BlockPlaces { fixed, random, overlap };

enum class WaveletFamily { daubechies4, haar };
// Wavelets divide axes of at least this number of pixels.
std::int64_t minWaveletLength(WaveletFamily);

// Automatic: the first of the method's (solver_choice.h). preconditionedDual: primal-dual steps
// with a preconditioner in k-space.
enum class IterationSolver {
  automatic,
  conjugateGradients,
  lsmr,
  fista,
  admm,
  primalDual,
  preconditionedDual
};

// Conjugate gradients in an iteration of admm.
inline constexpr int alternatingInnerSteps = 4;

struct IterationOptions {
  int iterations = 10;
  double lambda = 0;
  double tolerance = 0;  // stop where the residual, relative, is below; 0: never
  Regularization regularization = Regularization::tikhonov;
  double minChange = 0;      // stop where |x_k - x_{k-1}| / |x_k| is below; 0: never
  double maxSeconds = 0;     // stop after; 0: never
  bool randomShifts = true;  // of wavelets, another one in each iteration
  int block = 8;             // pixels along each axis, of locallyLowRank
  BlockPlaces blockPlaces = BlockPlaces::random;
  double framePrior = 0;      // of methods that find maps: share of the last frame in x_0
  double lowRankWeight = 1;   // of lowRankSparse, in units that balance the two parts
  SharedDenoiser denoiser{};  // of the regularization of this name
  IterationSolver solver = IterationSolver::automatic;
  WaveletFamily family = WaveletFamily::daubechies4;
  double spatialWeight = 0;  // of temporalVariation: of jumps between pixels, over those in time
};

// Residuals that conjugate gradients keep so that new ones stay orthogonal to them: all, as far as
// 1 GiB holds them (eight of 256 x 256 x 256 in single precision). None with total variation, which
// takes few steps between two shrinkages, and none where a proximal map or LSMR iterates.
int keptResiduals(const IterationOptions& options, std::int64_t imageBytes);

// "tikhonov", "roughness", "tv", "wavelet", "temporal-tv", "llr", "joint-wavelet",
// "l+s", "tgv", "denoiser", "low-rank"
std::string_view regularizationName(Regularization);
std::string_view waveletFamilyName(WaveletFamily);  // "daubechies4", "haar"
// "auto", "cg", "lsmr", "fista", "admm", "pdhg", "pdhg-kspace"
std::string_view solverName(IterationSolver);
std::string_view blockPlacesName(BlockPlaces);  // "fixed", "random", "overlap"

}  // namespace spokelab
