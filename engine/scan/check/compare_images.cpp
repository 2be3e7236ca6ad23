#include "engine/scan/check/compare_images.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {

bool comparesMagnitudes(const Image& image, const Image& reference) {
  const auto isMagnitude = [](const Image& i) {
    return std::all_of(i.data.begin(), i.data.end(),
                       [](const cfloat& v) { return v.imag() == 0 && !(v.real() < 0); });
  };
  return isMagnitude(image) || isMagnitude(reference);
}

double nrmse(const Image& image, const Image& reference) {
  if (image.size != reference.size || image.frames != reference.frames)
    throw Error("Cannot compare the image with " + reference.name,
                "the image is " + (sizeText(image.size, 3, " x ") + ", " + countText(image.frames, "frame")) +
                    ", the reference " +
                    (sizeText(reference.size, 3, " x ") + ", " + countText(reference.frames, "frame")),
                "Give a reference of the same size");
  const bool magnitudes = comparesMagnitudes(image, reference);
  const auto value = [&](const cfloat& v) {
    return magnitudes ? cdouble(double(std::abs(v)), 0) : cdouble(v);
  };
  cdouble cross = 0;
  double own = 0, other = 0;
  for (std::size_t i = 0; i < image.data.size(); ++i) {
    const cdouble a = value(image.data[i]), b = value(reference.data[i]);
    cross += std::conj(a) * b;
    own += std::norm(a);
    other += std::norm(b);
  }
  if (!(other > 0) || !(own > 0)) return own == other ? 0 : 1;
  const double along = std::abs(cross) / std::sqrt(own);
  return std::sqrt(std::max(0.0, other - along * along) / other);
}

}  // namespace spokelab
