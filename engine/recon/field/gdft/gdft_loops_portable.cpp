// The loops of Gdft with what every processor of this kind has.
#include "engine/recon/field/gdft/gdft_loops_impl.h"

namespace spokelab {
namespace gdft {

struct Portable {
#ifdef SPOKELAB_X86_64
  using Arch = xsimd::sse2;
  static constexpr bool fused = false;
#else
  using Arch = xsimd::default_arch;
  static constexpr bool fused = true;
#endif
  static constexpr int registers = 16;
};

}  // namespace gdft

constinit const GdftLoops<float> gdftLoopsFloatPortable = gdft::makeLoops<gdft::Portable, float>();
constinit const GdftLoops<double> gdftLoopsDoublePortable = gdft::makeLoops<gdft::Portable, double>();

}  // namespace spokelab
