#include "engine/scan/check/region_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/scan/check/compare_images.h"

namespace spokelab {
namespace {

constexpr double noValue = std::numeric_limits<double>::quiet_NaN();
constexpr int ssimRadius = 5;
constexpr double ssimSigma = 1.5, ssimK1 = 0.01, ssimK2 = 0.03;

bool finite(const cdouble& v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}

// The pixels of one frame, widened to double; on request their magnitudes.
class Pixels {
 public:
  Pixels(const Image& image, int frame, bool magnitudes = false)
      : image_(image), first_(frame * image.volume()), magnitudes_(magnitudes) {}
  cdouble operator[](std::int64_t i) const {
    const cdouble value = image_.value(std::size_t(first_ + i));
    return magnitudes_ ? std::abs(value) : value;
  }

 private:
  const Image& image_;
  std::int64_t first_;
  bool magnitudes_;
};

void checkFrame(const Image& image, int frame) {
  if (frame < 0 || frame >= image.frames)
    throw Error("Cannot measure frame " + std::to_string(frame),
                "the image has " + std::to_string(image.frames) + " of them",
                "Choose a frame from 0 to " + std::to_string(image.frames - 1));
}

ImageRegion inside(const Image& image, ImageRegion region) {
  // The ellipse belongs to the whole box: only the pixels to visit are cut off at the image.
  for (std::size_t d = 0; d < 3; ++d) {
    region.low[d] = std::max<std::int64_t>(region.low[d], 0);
    region.high[d] = std::min(region.high[d], image.size[d] - 1);
    if (region.low[d] > region.high[d])
      throw Error("Cannot measure the region", "none of its pixels is in the image",
                  "Draw it inside the image");
  }
  return region;
}

// visit(index, offset) for each pixel of the region.
template <class Visit>
void forEachPixel(const Image& image, const ImageRegion& region, const Progress& progress, Visit visit) {
  const ImageRegion cut = inside(image, region);
  for (std::int64_t z = cut.low[2]; z <= cut.high[2]; ++z) {
    progress.checkpoint();
    for (std::int64_t y = cut.low[1]; y <= cut.high[1]; ++y)
      for (std::int64_t x = cut.low[0]; x <= cut.high[0]; ++x)
        if (region.contains({x, y, z})) visit(Index3{x, y, z}, (z * image.size[1] + y) * image.size[0] + x);
  }
}

cdouble frameScale(const Pixels& a, const Pixels& b, std::int64_t count) {
  cdouble cross = 0;
  double power = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const cdouble x = a[i], y = b[i];
    if (!finite(x) || !finite(y)) continue;
    cross += std::conj(x) * y;
    power += std::norm(x);
  }
  return power > 0 ? cross / power : cdouble(0);
}

std::array<double, 2 * ssimRadius + 1> gaussian() {
  std::array<double, 2 * ssimRadius + 1> weights{};
  double* const middle = weights.data() + ssimRadius;
  for (int i = -ssimRadius; i <= ssimRadius; ++i) middle[i] = std::exp(-i * i / (2 * ssimSigma * ssimSigma));
  return weights;
}

// Structural similarity around one pixel, in the plane of axes u and v.
class Similarity {
 public:
  Similarity(const Image& image, const Pixels& a, const Pixels& b, cdouble scale, int through)
      : size_(image.size), a_(a), b_(b), scale_(std::abs(scale)), weights_(gaussian()) {
    u_ = through == 0 ? 1 : 0;
    v_ = through == 2 ? 1 : 2;
    double range = 0;
    for (std::int64_t i = 0; i < image.volume(); ++i)
      if (finite(b[i])) range = std::max(range, std::abs(b[i]));
    c1_ = (ssimK1 * range) * (ssimK1 * range);
    c2_ = (ssimK2 * range) * (ssimK2 * range);
  }

  double at(const Index3& centre) const {
    double sum = 0, meanA = 0, meanB = 0, aa = 0, bb = 0, ab = 0;
    const auto u = std::size_t(u_), v = std::size_t(v_);
    const double* const middle = weights_.data() + ssimRadius;
    for (int j = -ssimRadius; j <= ssimRadius; ++j) {
      for (int i = -ssimRadius; i <= ssimRadius; ++i) {
        Index3 index = centre;
        index[u] += i;
        index[v] += j;
        if (index[u] < 0 || index[u] >= size_[u] || index[v] < 0 || index[v] >= size_[v]) continue;
        const std::int64_t offset = (index[2] * size_[1] + index[1]) * size_[0] + index[0];
        if (!finite(a_[offset]) || !finite(b_[offset])) continue;
        const double w = middle[i] * middle[j];
        const double x = scale_ * std::abs(a_[offset]), y = std::abs(b_[offset]);
        sum += w;
        meanA += w * x;
        meanB += w * y;
        aa += w * x * x;
        bb += w * y * y;
        ab += w * x * y;
      }
    }
    if (!(sum > 0)) return noValue;
    meanA /= sum;
    meanB /= sum;
    const double varianceA = aa / sum - meanA * meanA, varianceB = bb / sum - meanB * meanB,
                 covariance = ab / sum - meanA * meanB;
    const double below = (meanA * meanA + meanB * meanB + c1_) * (varianceA + varianceB + c2_);
    return below > 0 ? (2 * meanA * meanB + c1_) * (2 * covariance + c2_) / below : 1;
  }

 private:
  Index3 size_;
  const Pixels &a_, &b_;
  double scale_;
  std::array<double, 2 * ssimRadius + 1> weights_;
  int u_ = 0, v_ = 1;
  double c1_ = 0, c2_ = 0;
};

}  // namespace

bool ImageRegion::contains(const Index3& index) const {
  double distance = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (index[d] < low[d] || index[d] > high[d]) return false;
    if (!ellipse || int(d) == through) continue;
    const double radius = double(high[d] - low[d] + 1) / 2, centre = double(low[d] + high[d]) / 2;
    distance += (double(index[d]) - centre) * (double(index[d]) - centre) / (radius * radius);
  }
  return distance <= 1;
}

RegionStatistics regionStatistics(const Image& image, int frame, const ImageRegion& region,
                                  const Progress& progress) {
  checkFrame(image, frame);
  const Pixels values(image, frame);
  RegionStatistics s;
  s.smallest = std::numeric_limits<double>::infinity();
  forEachPixel(image, region, progress, [&](const Index3&, std::int64_t offset) {
    const cdouble v = values[offset];
    if (!finite(v)) {
      ++s.leftOut;
      return;
    }
    const double magnitude = std::abs(v);
    ++s.count;
    s.mean += v;
    s.magnitudeMean += magnitude;
    s.smallest = std::min(s.smallest, magnitude);
    s.largest = std::max(s.largest, magnitude);
  });
  if (s.count == 0)
    throw Error("Cannot measure the region", "none of its pixels is a finite number", "Draw it elsewhere");
  s.mean /= double(s.count);
  s.magnitudeMean /= double(s.count);
  double complexSum = 0, magnitudeSum = 0;
  forEachPixel(image, region, progress, [&](const Index3&, std::int64_t offset) {
    const cdouble v = values[offset];
    if (!finite(v)) return;
    complexSum += std::norm(v - s.mean);
    const double d = std::abs(v) - s.magnitudeMean;
    magnitudeSum += d * d;
  });
  const bool enough = s.count > 1;
  const auto degrees = double(s.count - 1);
  s.deviation = enough ? std::sqrt(complexSum / (2 * degrees)) : noValue;
  s.magnitudeDeviation = enough ? std::sqrt(magnitudeSum / degrees) : noValue;
  s.snr = s.magnitudeMean / s.magnitudeDeviation;
  s.complexSnr = std::abs(s.mean) / s.deviation;
  return s;
}

RegionComparison compareRegion(const Image& image, const Image& reference, int frame,
                               const ImageRegion& region, const Progress& progress) {
  checkFrame(image, frame);
  if (image.size != reference.size || image.frames != reference.frames)
    throw Error("Cannot compare the images", "they differ in matrix or number of frames",
                "Choose a reference of the same size");
  const bool magnitudes = comparesMagnitudes(image, reference);
  const Pixels a(image, frame, magnitudes), b(reference, frame, magnitudes);
  RegionComparison result;
  result.scale = frameScale(a, b, image.volume());
  const Similarity similarity(image, a, b, result.scale, region.through);
  double error = 0, power = 0, ssim = 0;
  std::int64_t count = 0;
  forEachPixel(image, region, progress, [&](const Index3& index, std::int64_t offset) {
    if (!finite(a[offset]) || !finite(b[offset])) return;
    error += std::norm(result.scale * a[offset] - b[offset]);
    power += std::norm(b[offset]);
    ssim += similarity.at(index);
    ++count;
  });
  result.nrmse = power > 0 ? std::sqrt(error / power) : noValue;
  result.ssim = count > 0 ? ssim / double(count) : noValue;
  return result;
}

std::vector<cfloat> lineProfile(const Image& image, int frame, const Vec3& from, const Vec3& to, int count) {
  checkFrame(image, frame);
  const Pixels values(image, frame);
  std::vector<cfloat> profile;
  for (int i = 0; i < count; ++i) {
    const double t = count > 1 ? double(i) / (count - 1) : 0;
    Index3 low{};
    Vec3 part{};
    bool within = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const double at = from[d] + t * (to[d] - from[d]);
      within = within && at >= 0 && at <= double(image.size[d] - 1);
      low[d] = std::clamp<std::int64_t>(std::int64_t(std::floor(at)), 0,
                                        std::max<std::int64_t>(image.size[d] - 2, 0));
      part[d] = at - double(low[d]);
    }
    cdouble value = within ? cdouble(0) : cdouble(noValue, noValue);
    for (int corner = 0; within && corner < 8; ++corner) {
      double weight = 1;
      Index3 index = low;
      for (std::size_t d = 0; d < 3; ++d) {
        const bool upper = (corner >> d) & 1;
        weight *= upper ? part[d] : 1 - part[d];
        index[d] += upper;
      }
      if (weight == 0) continue;
      value += weight * values[(index[2] * image.size[1] + index[1]) * image.size[0] + index[0]];
    }
    profile.emplace_back(float(value.real()), float(value.imag()));
  }
  return profile;
}

}  // namespace spokelab
