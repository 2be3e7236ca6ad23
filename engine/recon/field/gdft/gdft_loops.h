// The inner sums of Gdft and GdftR2, compiled once for each instruction set (gdft_loops_*.cpp).
//   forward:  out_j += sum_p in_p B e^{-2 pi i (k_j . r_p + f_p t_j)},   f in cycles/s
//   adjoint:  out_p += sum_j in_j B e^{+2 pi i (k_j . r_p + f_p t_j)}
//   B = prod_d sinc(voxel_d + G_d t) e^{-R t} e^{-/+ 2 pi i sum_f turns_fj places_fp}, or 1.
// Phases are kept in turns. In float the part k . r on the regular grid is fixed point: 2^32 a
// turn, so that whole turns vanish without rounding; products of two floats are reduced by a fused
// multiply-add before they are rounded, with the low halves of both factors where many turns would
// lose them. Sums of a few terms are added in double: n equal terms, added one after the other in
// float, are off by about u n / 6.
#pragma once

#include <array>
#include <cstdint>

namespace spokelab {

inline constexpr std::int64_t gdftPadding = 64;  // samples, and pixels of a row, are padded to this

template <class Real>
struct GdftStep;  // k_d / N_d, the phase from one pixel to the next
template <>
struct GdftStep<float> {
  using Type = std::uint32_t;  // 2^32 a turn
};
template <>
struct GdftStep<double> {
  using Type = double;  // turns
};

// Structures of arrays, padded with zeros. Unused ones are null.
template <class Real>
struct GdftSamples {
  std::int64_t count = 0, padded = 0;
  std::array<const typename GdftStep<Real>::Type*, 3> step{};  // regular grid
  std::array<const Real*, 3> k{}, kLow{};                      // given coordinates: cycles/FOV
  const Real *time = nullptr, *timeLow = nullptr;              // s
  std::array<const Real*, 3> voxel{};                          // GdftR2: k_d / N_d
  std::array<const Real*, 4> turns{}, turnsLow{};              // of each phase form
};

template <class Real>
struct GdftPixels {
  std::int64_t rowLength = 0, rowPadded = 0, rows = 0;  // given coordinates: one row
  std::array<std::int64_t, 3> size{1, 1, 1};            // regular grid
  std::array<const Real*, 3> r{}, rLow{};               // given coordinates: FOV units
  const Real *field = nullptr, *fieldLow = nullptr;     // cycles/s
  std::array<const Real*, 3> gradient{};                // GdftR2: cycles/s per voxel
  const Real* decay = nullptr;                          // 1/s, or null
  int forms = 0;
  std::array<const Real*, 4> places{}, placesLow{};  // of each phase form
};

struct GdftRange {
  std::int64_t begin = 0, end = 0;
};

// narrow: few turns of f t, the high halves do; modulated: with B (and both halves).
enum class GdftForm { narrow, wide, modulated };

template <class Real>
struct GdftLoops {
  // gdftPadding samples from `first` on over some rows; in: pixels by rowPadded; out [gdftPadding].
  using Forward = void (*)(const GdftSamples<Real>&, const GdftPixels<Real>&, const Real* inRe,
                           const Real* inIm, std::int64_t first, GdftRange rows, double* outRe,
                           double* outIm);
  // gdftPadding pixels of a row from `first` on over some samples; out [gdftPadding].
  using Adjoint = void (*)(const GdftSamples<Real>&, const GdftPixels<Real>&, const Real* inRe,
                           const Real* inIm, std::int64_t row, std::int64_t first, GdftRange samples,
                           double* outRe, double* outIm);
  std::array<std::array<Forward, 3>, 2> forward{};  // [regular grid? 0 : 1][form]
  std::array<std::array<Adjoint, 3>, 2> adjoint{};
  // The ceiling that the bench compares with: `count` vectors of sine and cosine of a register's
  // phase and four fused multiply-adds on registers, nothing loaded. Returns the lanes of a vector;
  // *sink keeps the result alive.
  int (*ceiling)(std::int64_t count, Real* sink) = nullptr;
};

template <class Real>
const GdftLoops<Real>& gdftLoops();  // for this processor

extern const GdftLoops<float> gdftLoopsFloatPortable;
extern const GdftLoops<double> gdftLoopsDoublePortable;
#ifdef SPOKELAB_X86_64
extern const GdftLoops<float> gdftLoopsFloatAvx2, gdftLoopsFloatAvx512;
extern const GdftLoops<double> gdftLoopsDoubleAvx2, gdftLoopsDoubleAvx512;
#endif

}  // namespace spokelab
