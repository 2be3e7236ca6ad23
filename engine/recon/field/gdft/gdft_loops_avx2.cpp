// The loops of Gdft with AVX2.
#include "engine/recon/field/gdft/gdft_loops_impl.h"

namespace spokelab {
namespace gdft {

struct Avx2 {
  using Arch = xsimd::fma3<xsimd::avx2>;
  static constexpr bool fused = true;
  static constexpr int registers = 16;
};

}  // namespace gdft

constinit const GdftLoops<float> gdftLoopsFloatAvx2 = gdft::makeLoops<gdft::Avx2, float>();
constinit const GdftLoops<double> gdftLoopsDoubleAvx2 = gdft::makeLoops<gdft::Avx2, double>();

}  // namespace spokelab
