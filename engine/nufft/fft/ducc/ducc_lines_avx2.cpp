#define DUCC0_NAMESPACE spokelab_ducc_avx2
#include "engine/nufft/fft/ducc/ducc_lines_impl.h"

namespace spokelab {

std::unique_ptr<const DuccLength<float>> duccAvx2(std::size_t length, bool single, float) {
  return std::make_unique<Length<float>>(length, single);
}

std::unique_ptr<const DuccLength<double>> duccAvx2(std::size_t length, bool single, double) {
  return std::make_unique<Length<double>>(length, single);
}

}  // namespace spokelab
