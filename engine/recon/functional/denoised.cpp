#include "engine/recon/functional/denoised.h"

#include <algorithm>
#include <cmath>

namespace spokelab {

void requireFiniteImages(const cfloat* images, std::int64_t count, const std::string& title) {
  const std::int64_t bad = std::count_if(images, images + count, [](const cfloat& v) {
    return !std::isfinite(v.real()) || !std::isfinite(v.imag());
  });
  if (bad > 0)
    throw Error(
        "The denoiser " + title + " failed",
        std::to_string(bad) + " of the " + std::to_string(count) + " numbers that it returned are not finite",
        "Mend it, use another denoiser, or a smaller regularization lambda");
}

}  // namespace spokelab
