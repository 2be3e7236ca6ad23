// The loops of Gdft with AVX-512.
#include "engine/recon/field/gdft/gdft_loops_impl.h"

namespace spokelab {
namespace gdft {

struct Avx512 {
  using Arch = xsimd::avx512bw;
  static constexpr bool fused = true;
  static constexpr int registers = 32;
};

}  // namespace gdft

constinit const GdftLoops<float> gdftLoopsFloatAvx512 = gdft::makeLoops<gdft::Avx512, float>();
constinit const GdftLoops<double> gdftLoopsDoubleAvx512 = gdft::makeLoops<gdft::Avx512, double>();

}  // namespace spokelab
