#include "engine/recon/coils/keep_vectors.h"

#include <cmath>

namespace spokelab {

void keepVectors(const float* vectors, int coils, int count, const std::vector<cdouble>& reference,
                 const std::array<bool, pixelTile>& kept, std::int64_t pixels, cfloat* out) {
  std::array<float, pixelTile> re{}, im{};
  for (int c = 0; c < coils; ++c) {
    const float *a = vectors + 2 * std::ptrdiff_t(c) * pixelTile, *b = a + pixelTile;
    const auto p = float(reference[std::size_t(c)].real()), q = float(reference[std::size_t(c)].imag());
    for (std::size_t i = 0; i < pixelTile; ++i) {
      re[i] += p * a[i] + q * b[i];
      im[i] += p * b[i] - q * a[i];
    }
  }
  for (std::size_t i = 0; i < pixelTile; ++i) {
    const float size = std::sqrt(re[i] * re[i] + im[i] * im[i]), turn = size > 0 ? 1 / size : 0;
    re[i] = !kept[i] ? 0 : size > 0 ? re[i] * turn : 1;
    im[i] = !kept[i] ? 0 : -im[i] * turn;
  }
  for (int c = 0; c < coils; ++c) {
    const float *a = vectors + 2 * std::ptrdiff_t(c) * pixelTile, *b = a + pixelTile;
    cfloat* to = out + c * pixels;
    for (int j = 0; j < count; ++j) {
      const auto i = std::size_t(j);
      to[j] = {a[i] * re[i] - b[i] * im[i], a[i] * im[i] + b[i] * re[i]};
    }
  }
}

}  // namespace spokelab
