#include "widgets/image/compare/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QCoreApplication>

#include "engine/scan/check/compare_images.h"
#include "widgets/image/display/fitting_windows.h"

namespace spokelab {
namespace {

bool finite(cfloat v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}

cfloat magnitudeOf(cfloat v) {
  return {float(std::abs(cdouble(v))), 0};
}

// sum conj(a) b / sum |a|^2 over the voxels that are finite in both images; 0 if a is zero.
cdouble leastSquaresScale(const cfloat* a, const cfloat* b, std::int64_t count) {
  double crossReal = 0, crossImaginary = 0, power = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!finite(a[i]) || !finite(b[i])) continue;
    const double ar = a[i].real(), ai = a[i].imag(), br = b[i].real(), bi = b[i].imag();
    crossReal += ar * br + ai * bi;
    crossImaginary += ar * bi - ai * br;
    power += ar * ar + ai * ai;
  }
  return power > 0 ? cdouble(crossReal, crossImaginary) / power : cdouble(0);
}

}  // namespace

QString differenceObstacle(const Image* image, const Image* reference) {
  if (!isShowable(image) || !isShowable(reference))
    return QCoreApplication::translate("spokelab::Difference", "Choose a second image to compare with.");
  if (image->size != reference->size || image->frames != reference->frames)
    return QCoreApplication::translate("spokelab::Difference",
                                       "The two images differ in matrix or number of frames.");
  return {};
}

namespace {

Difference differenceOfValues(const Image& image, const Image& reference) {
  Difference result;
  auto difference = std::make_shared<Image>();
  difference->frames = reference.frames;
  difference->size = reference.size;
  difference->geometry = reference.geometry;
  difference->name = image.name;
  const std::int64_t volume = reference.volume();
  difference->data.resize(std::size_t(volume * reference.frames));

  double error = 0, power = 0;
  for (int f = 0; f < reference.frames; ++f) {
    const cfloat* a = image.frame(f);
    const cfloat* b = reference.frame(f);
    cfloat* d = difference->data.data() + f * volume;
    const cdouble scale = leastSquaresScale(a, b, volume);
    result.scales.push_back(scale);
    for (std::int64_t i = 0; i < volume; ++i) {
      const double ar = a[i].real(), ai = a[i].imag();
      const double dr = scale.real() * ar - scale.imag() * ai - b[i].real();
      const double di = scale.real() * ai + scale.imag() * ar - b[i].imag();
      d[i] = {float(dr), float(di)};
      if (!finite(d[i])) continue;
      error += dr * dr + di * di;
      power += std::norm(cdouble(b[i]));
    }
  }
  result.nrmse = power > 0 ? std::sqrt(error / power) : std::numeric_limits<double>::quiet_NaN();
  result.image = std::move(difference);
  return result;
}

Difference noDifference() {
  Difference none;
  none.nrmse = std::numeric_limits<double>::quiet_NaN();
  return none;
}

}  // namespace

Difference differenceImage(const Image& image, const Image& reference) {
  if (!differenceObstacle(&image, &reference).isEmpty()) return noDifference();
  if (isMagnitude(image) != isMagnitude(reference)) return magnitudeDifference(image, reference);
  return differenceOfValues(image, reference);
}

// The complex difference of the magnitudes, taken as real images.
Difference magnitudeDifference(const Image& image, const Image& reference) {
  if (!differenceObstacle(&image, &reference).isEmpty()) return noDifference();
  const auto magnitudes = [](const Image& of) {
    Image real = of;
    for (cfloat& v : real.data)
      if (finite(v)) v = magnitudeOf(v);
    return real;
  };
  Difference result = differenceOfValues(magnitudes(image), magnitudes(reference));
  result.magnitudes = true;
  return result;
}

std::shared_ptr<const Image> scaledImage(const Image& image, const std::vector<cdouble>& scales) {
  constexpr double visible = 0.005;  // half a grey value
  const auto counts = [](const cdouble& s) { return s != cdouble(0) && std::abs(s - 1.0) > visible; };
  if (int(scales.size()) != image.frames || std::none_of(scales.begin(), scales.end(), counts))
    return nullptr;
  auto scaled = std::make_shared<Image>();
  scaled->frames = image.frames;
  scaled->size = image.size;
  scaled->geometry = image.geometry;
  scaled->name = image.name;
  scaled->data.resize(image.data.size());
  const std::int64_t volume = image.volume();
  for (int f = 0; f < image.frames; ++f) {
    const cdouble scale = scales[std::size_t(f)];
    for (std::int64_t i = f * volume; i < (f + 1) * volume; ++i)
      scaled->data[std::size_t(i)] = cfloat(scale * cdouble(image.data[std::size_t(i)]));
  }
  return scaled;
}

}  // namespace spokelab
