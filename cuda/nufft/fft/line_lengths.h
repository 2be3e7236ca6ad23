// Lengths of the passes of line transforms (line_pass.h), and the division of each line among
// threads: along x, and across adjacent lines, where accesses have at least 32 bytes (one sector).
// The lists together have the lengths of gpuPassLengths (engine/nufft/kernel/grid_size.h); a
// static_assert in line_pass.cu names a gap. Each list is compiled in two files, line_pass_NAME.cu
// and line_pass_NAME_double.cu, to keep compile times short. Each shape is the fastest of up to
// eight tried on an H100, with padding from and cropping to 0.8 times its cells: lengths up to 512
// cells in volumes, longer ones in images. Not tried, but set like their neighbours: 144 cells; in
// double 2592, 2800, 3024, 3200, 3456 and 4032, and 1620 across (192 threads; 184 were tried); in
// float 3456 and 4032 along x.
#pragma once

#include "cuda/nufft/fft/line_fft.cuh"

namespace spokelab::gpu {

template <class... Shapes>
struct LengthList {};

template <class Real>
struct Short;
template <>
struct Short<float> {
  using Across =
      LengthList<ThreeFactors<16, 8, 4, 2, 4>, ThreeFactors<16, 6, 6, 2, 3>, ThreeFactors<8, 8, 5, 4, 2>,
                 ThreeFactors<16, 6, 7, 3, 2>, ThreeFactors<8, 12, 4, 3, 4>, ThreeFactors<16, 6, 6, 3, 3>,
                 ThreeFactors<8, 8, 7, 2, 4>, ThreeFactors<8, 12, 6, 2, 5>, ThreeFactors<16, 8, 4, 4, 4>,
                 ThreeFactors<8, 12, 6, 3, 4>, ThreeFactors<16, 10, 5, 4, 4>, ThreeFactors<16, 14, 7, 2, 6>,
                 ThreeFactors<16, 10, 10, 3, 3>, ThreeFactors<8, 12, 8, 3, 4>, ThreeFactors<16, 10, 10, 2, 5>,
                 ThreeFactors<16, 18, 6, 3, 6>, ThreeFactors<16, 16, 7, 4, 4>, ThreeFactors<16, 10, 6, 4, 5>>;
  using Along =
      LengthList<ThreeFactors<4, 16, 4, 2, 4>, ThreeFactors<4, 16, 4, 3, 3>, ThreeFactors<4, 16, 5, 2, 4>,
                 ThreeFactors<4, 16, 7, 2, 3>, ThreeFactors<4, 16, 4, 3, 4>, ThreeFactors<4, 16, 6, 3, 3>,
                 ThreeFactors<4, 16, 7, 2, 4>, ThreeFactors<4, 16, 5, 3, 4>, ThreeFactors<4, 16, 4, 4, 4>,
                 ThreeFactors<4, 16, 6, 2, 6>, ThreeFactors<4, 24, 5, 4, 4>, ThreeFactors<4, 16, 7, 2, 6>,
                 ThreeFactors<4, 16, 6, 3, 5>, ThreeFactors<4, 16, 8, 2, 6>, ThreeFactors<4, 24, 5, 4, 5>,
                 ThreeFactors<4, 16, 9, 4, 3>, ThreeFactors<4, 16, 7, 4, 4>, ThreeFactors<4, 16, 8, 3, 5>>;
};
template <>
struct Short<double> {
  using Across =
      LengthList<ThreeFactors<4, 16, 4, 2, 4>, ThreeFactors<8, 8, 6, 2, 3>, ThreeFactors<8, 12, 5, 2, 4>,
                 ThreeFactors<8, 8, 7, 2, 3>, ThreeFactors<8, 12, 4, 3, 4>, ThreeFactors<8, 8, 9, 2, 3>,
                 ThreeFactors<8, 8, 7, 2, 4>, ThreeFactors<4, 16, 5, 3, 4>, ThreeFactors<8, 16, 4, 4, 4>,
                 ThreeFactors<8, 12, 6, 2, 6>, ThreeFactors<8, 20, 5, 4, 4>, ThreeFactors<8, 12, 7, 3, 4>,
                 ThreeFactors<8, 12, 9, 2, 5>, ThreeFactors<8, 12, 8, 3, 4>, ThreeFactors<8, 20, 5, 4, 5>,
                 ThreeFactors<8, 20, 6, 3, 6>, ThreeFactors<8, 16, 7, 4, 4>, ThreeFactors<4, 24, 6, 4, 5>>;
  using Along =
      LengthList<ThreeFactors<4, 16, 4, 2, 4>, ThreeFactors<4, 16, 4, 3, 3>, ThreeFactors<4, 16, 5, 2, 4>,
                 ThreeFactors<4, 16, 7, 2, 3>, ThreeFactors<4, 16, 4, 3, 4>, ThreeFactors<4, 16, 6, 3, 3>,
                 ThreeFactors<4, 16, 7, 2, 4>, ThreeFactors<4, 16, 5, 3, 4>, ThreeFactors<4, 16, 4, 4, 4>,
                 ThreeFactors<4, 16, 6, 2, 6>, ThreeFactors<4, 24, 5, 4, 4>, ThreeFactors<4, 16, 7, 3, 4>,
                 ThreeFactors<4, 16, 6, 3, 5>, ThreeFactors<4, 24, 6, 4, 4>, ThreeFactors<2, 32, 5, 4, 5>,
                 ThreeFactors<4, 16, 9, 4, 3>, ThreeFactors<4, 16, 7, 4, 4>, ThreeFactors<2, 32, 6, 4, 5>>;
};

template <class Real>
struct Middle;
template <>
struct Middle<float> {
  using Across =
      LengthList<ThreeFactors<16, 16, 8, 4, 4>, ThreeFactors<8, 20, 7, 4, 5>, ThreeFactors<8, 24, 6, 4, 6>,
                 ThreeFactors<16, 8, 10, 4, 4>, ThreeFactors<16, 12, 8, 3, 7>, ThreeFactors<16, 12, 15, 3, 4>,
                 ThreeFactors<16, 16, 12, 4, 4>, ThreeFactors<16, 10, 10, 4, 5>, ThreeFactors<8, 36, 6, 6, 6>,
                 ThreeFactors<8, 32, 8, 4, 7>, ThreeFactors<16, 16, 8, 5, 6>, ThreeFactors<8, 32, 8, 4, 8>,
                 ThreeFactors<16, 16, 9, 5, 6>, ThreeFactors<16, 24, 12, 4, 6>,
                 ThreeFactors<16, 20, 15, 4, 5>, ThreeFactors<8, 40, 8, 5, 8>, ThreeFactors<8, 24, 14, 3, 8>,
                 ThreeFactors<8, 24, 15, 3, 8>, ThreeFactors<8, 32, 12, 4, 8>, ThreeFactors<8, 20, 10, 4, 10>,
                 ThreeFactors<8, 36, 12, 6, 6>, ThreeFactors<8, 64, 8, 7, 8>, ThreeFactors<8, 32, 16, 5, 6>,
                 ThreeFactors<8, 32, 8, 8, 8>>;
  using Along =
      LengthList<ThreeFactors<4, 16, 8, 4, 4>, ThreeFactors<4, 16, 10, 2, 7>, ThreeFactors<4, 24, 6, 4, 6>,
                 ThreeFactors<4, 16, 10, 2, 8>, ThreeFactors<4, 24, 8, 3, 7>, ThreeFactors<4, 24, 9, 4, 5>,
                 ThreeFactors<4, 24, 8, 3, 8>, ThreeFactors<4, 40, 8, 5, 5>, ThreeFactors<4, 40, 6, 6, 6>,
                 ThreeFactors<2, 32, 8, 4, 7>, ThreeFactors<2, 32, 10, 3, 8>, ThreeFactors<4, 32, 8, 4, 8>,
                 ThreeFactors<2, 32, 10, 3, 9>, ThreeFactors<2, 48, 8, 6, 6>, ThreeFactors<2, 32, 10, 5, 6>,
                 ThreeFactors<2, 48, 8, 5, 8>, ThreeFactors<2, 48, 8, 6, 7>, ThreeFactors<2, 32, 12, 5, 6>,
                 ThreeFactors<1, 64, 8, 6, 8>, ThreeFactors<4, 40, 10, 4, 10>, ThreeFactors<1, 64, 9, 6, 8>,
                 ThreeFactors<2, 64, 8, 7, 8>, ThreeFactors<4, 32, 15, 4, 8>, ThreeFactors<1, 64, 8, 8, 8>>;
};
template <>
struct Middle<double> {
  using Across =
      LengthList<ThreeFactors<8, 16, 8, 4, 4>, ThreeFactors<8, 20, 7, 4, 5>, ThreeFactors<8, 24, 6, 4, 6>,
                 ThreeFactors<8, 20, 8, 4, 5>, ThreeFactors<4, 24, 8, 3, 7>, ThreeFactors<4, 24, 9, 4, 5>,
                 ThreeFactors<8, 16, 12, 4, 4>, ThreeFactors<8, 20, 10, 2, 10>, ThreeFactors<8, 36, 6, 6, 6>,
                 ThreeFactors<8, 32, 8, 4, 7>, ThreeFactors<8, 16, 15, 4, 4>, ThreeFactors<8, 32, 8, 4, 8>,
                 ThreeFactors<8, 32, 10, 3, 9>, ThreeFactors<8, 24, 12, 4, 6>, ThreeFactors<4, 32, 10, 5, 6>,
                 ThreeFactors<4, 40, 8, 5, 8>, ThreeFactors<4, 56, 8, 6, 7>, ThreeFactors<4, 40, 10, 4, 9>,
                 ThreeFactors<4, 32, 12, 4, 8>, ThreeFactors<4, 40, 10, 5, 8>, ThreeFactors<4, 40, 12, 6, 6>,
                 ThreeFactors<4, 64, 8, 7, 8>, ThreeFactors<4, 48, 12, 4, 10>, ThreeFactors<4, 64, 8, 8, 8>>;
  using Along =
      LengthList<ThreeFactors<4, 16, 8, 4, 4>, ThreeFactors<4, 16, 10, 2, 7>, ThreeFactors<4, 24, 6, 4, 6>,
                 ThreeFactors<4, 16, 10, 2, 8>, ThreeFactors<2, 32, 7, 4, 6>, ThreeFactors<2, 32, 6, 5, 6>,
                 ThreeFactors<4, 24, 8, 3, 8>, ThreeFactors<2, 32, 8, 5, 5>, ThreeFactors<4, 24, 9, 4, 6>,
                 ThreeFactors<2, 32, 8, 4, 7>, ThreeFactors<2, 32, 10, 3, 8>, ThreeFactors<4, 32, 8, 4, 8>,
                 ThreeFactors<2, 32, 10, 3, 9>, ThreeFactors<2, 32, 12, 2, 12>, ThreeFactors<4, 32, 10, 5, 6>,
                 ThreeFactors<4, 40, 8, 5, 8>, ThreeFactors<2, 32, 12, 4, 7>, ThreeFactors<2, 48, 9, 5, 8>,
                 ThreeFactors<2, 48, 8, 6, 8>, ThreeFactors<2, 48, 10, 4, 10>, ThreeFactors<1, 64, 9, 6, 8>,
                 ThreeFactors<1, 64, 8, 7, 8>, ThreeFactors<1, 64, 10, 6, 8>, ThreeFactors<2, 64, 8, 8, 8>>;
};

template <class Real>
struct Long;
template <>
struct Long<float> {
  using Across = LengthList<
      ThreeFactors<4, 40, 15, 4, 9>, ThreeFactors<4, 72, 9, 8, 8>, ThreeFactors<4, 40, 15, 4, 10>,
      ThreeFactors<4, 40, 16, 4, 10>, ThreeFactors<4, 48, 14, 6, 8>, ThreeFactors<4, 48, 16, 5, 9>,
      ThreeFactors<4, 64, 16, 4, 12>, ThreeFactors<4, 40, 20, 5, 8>, ThreeFactors<4, 72, 12, 6, 12>,
      ThreeFactors<4, 104, 10, 9, 10>, ThreeFactors<4, 64, 16, 15, 4>, ThreeFactors<4, 64, 16, 4, 16>,
      ThreeFactors<4, 120, 12, 9, 10>, ThreeFactors<4, 72, 18, 8, 8>, ThreeFactors<4, 120, 12, 10, 10>,
      ThreeFactors<4, 80, 16, 8, 10>, ThreeFactors<4, 72, 18, 6, 12>, ThreeFactors<4, 112, 14, 8, 12>,
      ThreeFactors<4, 96, 18, 5, 16>>;
  using Along = LengthList<
      ThreeFactors<1, 64, 10, 6, 9>, ThreeFactors<1, 96, 9, 8, 8>, ThreeFactors<1, 64, 10, 6, 10>,
      ThreeFactors<1, 96, 10, 8, 8>, ThreeFactors<1, 64, 14, 4, 12>, ThreeFactors<1, 64, 12, 5, 12>,
      ThreeFactors<1, 96, 12, 8, 8>, ThreeFactors<1, 96, 10, 8, 10>, ThreeFactors<1, 96, 12, 8, 9>,
      ThreeFactors<1, 96, 10, 9, 10>, ThreeFactors<1, 96, 12, 8, 10>, ThreeFactors<1, 64, 16, 8, 8>,
      ThreeFactors<1, 128, 12, 9, 10>, ThreeFactors<1, 96, 12, 8, 12>, ThreeFactors<1, 128, 12, 10, 10>,
      ThreeFactors<1, 96, 20, 4, 16>, ThreeFactors<1, 96, 16, 9, 9>, ThreeFactors<1, 128, 14, 8, 12>,
      ThreeFactors<1, 128, 15, 8, 12>>;
};
template <>
struct Long<double> {
  using Across = LengthList<
      ThreeFactors<4, 48, 15, 6, 6>, ThreeFactors<4, 48, 12, 6, 8>, ThreeFactors<4, 40, 15, 5, 8>,
      ThreeFactors<4, 48, 16, 5, 8>, ThreeFactors<4, 56, 16, 6, 7>, ThreeFactors<4, 64, 15, 6, 8>,
      ThreeFactors<4, 64, 16, 6, 8>, ThreeFactors<4, 80, 16, 5, 10>, ThreeFactors<4, 72, 12, 6, 12>,
      ThreeFactors<4, 104, 10, 9, 10>, ThreeFactors<4, 64, 16, 15, 4>, ThreeFactors<4, 64, 16, 8, 8>,
      ThreeFactors<4, 120, 12, 9, 10>, ThreeFactors<4, 96, 16, 6, 12>, ThreeFactors<4, 120, 12, 10, 10>,
      ThreeFactors<4, 88, 16, 5, 16>, ThreeFactors<4, 144, 12, 9, 12>, ThreeFactors<4, 112, 16, 6, 14>,
      ThreeFactors<4, 120, 16, 6, 15>>;
  using Along = LengthList<
      ThreeFactors<1, 64, 10, 6, 9>, ThreeFactors<1, 64, 12, 4, 12>, ThreeFactors<1, 64, 10, 6, 10>,
      ThreeFactors<1, 96, 10, 8, 8>, ThreeFactors<1, 64, 14, 4, 12>, ThreeFactors<1, 64, 12, 5, 12>,
      ThreeFactors<1, 96, 12, 8, 8>, ThreeFactors<1, 96, 10, 8, 10>, ThreeFactors<1, 96, 12, 8, 9>,
      ThreeFactors<1, 128, 10, 9, 10>, ThreeFactors<1, 64, 16, 15, 4>, ThreeFactors<1, 64, 16, 8, 8>,
      ThreeFactors<1, 128, 12, 9, 10>, ThreeFactors<1, 96, 12, 8, 12>, ThreeFactors<1, 128, 12, 10, 10>,
      ThreeFactors<1, 96, 16, 5, 16>, ThreeFactors<1, 160, 12, 9, 12>, ThreeFactors<1, 128, 14, 8, 12>,
      ThreeFactors<1, 128, 15, 8, 12>>;
};

template <class Real>
struct Longest;
template <>
struct Longest<float> {
  using Across = LengthList<
      ThreeFactors<4, 96, 16, 8, 12>, ThreeFactors<4, 96, 18, 5, 18>, ThreeFactors<4, 72, 12, 12, 12>,
      ThreeFactors<4, 184, 15, 10, 12>, ThreeFactors<4, 128, 16, 15, 8>, ThreeFactors<4, 96, 24, 7, 12>,
      ThreeFactors<4, 152, 15, 10, 14>, ThreeFactors<4, 120, 20, 9, 12>, ThreeFactors<4, 96, 24, 4, 24>,
      ThreeFactors<4, 120, 20, 10, 12>, ThreeFactors<4, 216, 15, 12, 14>, ThreeFactors<4, 216, 18, 12, 12>,
      ThreeFactors<4, 224, 16, 12, 14>, ThreeFactors<4, 144, 20, 7, 20>, ThreeFactors<4, 240, 16, 12, 15>,
      ThreeFactors<4, 256, 18, 12, 14>, ThreeFactors<4, 192, 24, 8, 16>, ThreeFactors<4, 160, 20, 8, 20>,
      ThreeFactors<4, 240, 16, 14, 15>, ThreeFactors<4, 144, 24, 12, 12>, ThreeFactors<4, 240, 16, 15, 15>,
      ThreeFactors<4, 256, 16, 15, 16>, ThreeFactors<4, 192, 24, 7, 24>, ThreeFactors<4, 256, 16, 16, 16>>;
  using Along = LengthList<
      ThreeFactors<1, 128, 16, 8, 12>, ThreeFactors<1, 96, 18, 9, 10>, ThreeFactors<1, 160, 12, 12, 12>,
      ThreeFactors<1, 128, 15, 8, 15>, ThreeFactors<1, 128, 16, 15, 8>, ThreeFactors<1, 192, 14, 12, 12>,
      ThreeFactors<1, 160, 15, 10, 14>, ThreeFactors<1, 192, 15, 12, 12>, ThreeFactors<1, 192, 16, 12, 12>,
      ThreeFactors<1, 160, 16, 15, 10>, ThreeFactors<1, 192, 18, 10, 14>, ThreeFactors<1, 192, 18, 16, 9>,
      ThreeFactors<1, 224, 16, 12, 14>, ThreeFactors<1, 224, 20, 10, 14>, ThreeFactors<1, 192, 18, 10, 16>,
      ThreeFactors<1, 256, 18, 12, 14>, ThreeFactors<1, 256, 16, 12, 16>, ThreeFactors<1, 224, 20, 10, 16>,
      ThreeFactors<1, 256, 16, 14, 15>, ThreeFactors<1, 224, 18, 16, 12>, ThreeFactors<1, 256, 16, 15, 15>,
      ThreeFactors<1, 256, 16, 15, 16>, ThreeFactors<1, 256, 18, 16, 14>, ThreeFactors<1, 256, 16, 16, 16>>;
};
template <>
struct Longest<double> {
  using Across = LengthList<
      ThreeFactors<4, 128, 16, 6, 16>, ThreeFactors<2, 192, 15, 9, 12>, ThreeFactors<4, 144, 12, 12, 12>,
      ThreeFactors<4, 120, 15, 8, 15>, ThreeFactors<4, 128, 16, 15, 8>, ThreeFactors<4, 168, 14, 12, 12>,
      ThreeFactors<2, 224, 15, 10, 14>, ThreeFactors<2, 240, 16, 9, 15>, ThreeFactors<2, 192, 16, 12, 12>,
      ThreeFactors<2, 240, 16, 10, 15>, ThreeFactors<2, 224, 15, 14, 12>, ThreeFactors<2, 192, 18, 16, 9>,
      ThreeFactors<2, 224, 16, 12, 14>, ThreeFactors<2, 208, 20, 14, 10>, ThreeFactors<2, 240, 16, 12, 15>,
      ThreeFactors<2, 224, 18, 14, 12>, ThreeFactors<2, 256, 16, 12, 16>, ThreeFactors<2, 208, 20, 16, 10>,
      ThreeFactors<2, 240, 16, 14, 15>, ThreeFactors<2, 224, 18, 16, 12>, ThreeFactors<2, 240, 16, 15, 15>,
      ThreeFactors<2, 256, 16, 15, 16>, ThreeFactors<2, 256, 18, 16, 14>, ThreeFactors<2, 256, 16, 16, 16>>;
  using Along = LengthList<
      ThreeFactors<1, 128, 16, 6, 16>, ThreeFactors<1, 192, 15, 9, 12>, ThreeFactors<1, 160, 12, 12, 12>,
      ThreeFactors<1, 128, 15, 8, 15>, ThreeFactors<1, 128, 16, 15, 8>, ThreeFactors<1, 192, 14, 12, 12>,
      ThreeFactors<1, 224, 15, 10, 14>, ThreeFactors<1, 192, 15, 12, 12>, ThreeFactors<1, 192, 16, 12, 12>,
      ThreeFactors<1, 256, 16, 10, 15>, ThreeFactors<1, 224, 15, 14, 12>, ThreeFactors<1, 192, 18, 16, 9>,
      ThreeFactors<1, 224, 16, 12, 14>, ThreeFactors<1, 224, 20, 14, 10>, ThreeFactors<1, 256, 16, 12, 15>,
      ThreeFactors<1, 224, 18, 14, 12>, ThreeFactors<1, 256, 16, 12, 16>, ThreeFactors<1, 224, 20, 16, 10>,
      ThreeFactors<1, 256, 16, 14, 15>, ThreeFactors<1, 224, 18, 16, 12>, ThreeFactors<1, 256, 16, 15, 15>,
      ThreeFactors<1, 256, 16, 15, 16>, ThreeFactors<1, 256, 18, 16, 14>, ThreeFactors<1, 256, 16, 16, 16>>;
};

// Calls run.template operator()<Shape>() where the list has the length, else returns false.
template <class... Shapes, class Run>
constexpr bool withShape(LengthList<Shapes...> /*list*/, int length, Run&& run) {
  return ((length == Shapes::length && (run.template operator()<Shapes>(), true)) || ...);
}

}  // namespace spokelab::gpu
