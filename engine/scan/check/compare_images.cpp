#include "engine/scan/check/compare_images.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

bool bothFinite(const cdouble& a, const cdouble& b) {
  return std::isfinite(a.real()) && std::isfinite(a.imag()) && std::isfinite(b.real()) &&
         std::isfinite(b.imag());
}

}  // namespace

bool isMagnitude(const Image& image) {
  const auto all = [&](const auto* values) {
    return std::all_of(values, values + image.data.size(),
                       [](const auto& v) { return v.imag() == 0 && !(v.real() < 0); });
  };
  return std::visit(all, image.values());
}

bool comparesMagnitudes(const Image& image, const Image& reference) {
  return isMagnitude(image) || isMagnitude(reference);
}

std::string comparedText(const Image& image, const Image& reference) {
  if (!comparesMagnitudes(image, reference)) return "complex values";
  const bool both = isMagnitude(image) && isMagnitude(reference);
  return both ? "magnitudes" : "magnitudes, since one of the images holds nothing else";
}

double nrmse(const Image& image, const Image& reference) {
  if (image.size != reference.size || image.frames != reference.frames)
    throw Error("Cannot compare the image with " + reference.name,
                "the image is " + (sizeText(image.size, 3, " x ") + ", " + countText(image.frames, "frame")) +
                    ", the reference " +
                    (sizeText(reference.size, 3, " x ") + ", " + countText(reference.frames, "frame")),
                "Give a reference of the same size");
  const bool magnitudes = comparesMagnitudes(image, reference);
  const auto value = [&](const cdouble& v) { return magnitudes ? cdouble(std::abs(v), 0) : v; };
  cdouble cross = 0;
  double own = 0, other = 0;
  for (std::size_t i = 0; i < image.data.size(); ++i) {
    const cdouble a = value(image.value(i)), b = value(reference.value(i));
    if (!bothFinite(a, b)) continue;
    cross += std::conj(a) * b;
    own += std::norm(a);
    other += std::norm(b);
  }
  if (!(other > 0) || !(own > 0)) return own == other ? 0 : 1;
  const cdouble scale = cross / own;
  double error = 0;
  for (std::size_t i = 0; i < image.data.size(); ++i) {
    const double part = std::norm(scale * value(image.value(i)) - value(reference.value(i)));
    if (std::isfinite(part)) error += part;
  }
  return std::sqrt(error / other);
}

}  // namespace spokelab
