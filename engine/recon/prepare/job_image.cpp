#include "engine/recon/prepare/job_image.h"

#include <algorithm>
#include <span>

#include "engine/core/thread_pool.h"
#include "engine/recon/prepare/sample_scale.h"

// The pixels are in one of three places: in image_, if no place is given; in place_, which is part
// of a larger image; or in another rank (without()), and pixels() is null. In the last two cases
// image_ has sizes and geometry, but no pixels.

namespace spokelab {
namespace {

// On all cores: the first touch of fresh memory takes longer than writing it.
template <class Complex>
void zero(Complex* values, std::int64_t count) {
  constexpr std::int64_t grain = 1 << 17;
  if (!values) return;
  parallelFor(count, 0, grain, [&](std::int64_t begin, std::int64_t end) {
    std::fill(values + begin, values + end, Complex(0));
  });
}

}  // namespace

JobImage::JobImage(const Scan& scan, int frames, const std::vector<int>& slices, bool inDouble,
                   const ImagePlace& place)
    : place_(place) {
  if (!place.single) {
    image_ = makeImage(scan, frames, slices, inDouble);
    return;
  }
  image_ = without(scan, frames, slices).image_;
  zero(place.single, count());
  zero(place.wide, count());
}

JobImage JobImage::without(const Scan& scan, int frames, const std::vector<int>& slices) {
  JobImage job;
  job.image_ = makeImage(scan, 0, slices);
  job.image_->frames = frames;
  return job;
}

void JobImage::finish(int exponent) {
  if (!pixels<float>()) return;
  if (!place_.single) return finishImage(*image_, exponent);
  const auto pixels = std::size_t(count());
  finishPixels(image_->name, {place_.single, pixels}, {place_.wide, place_.wide ? pixels : 0}, exponent);
}

void JobImage::keepFrames(int count) {
  if (!image_->data.empty()) return image_->keepFrames(count);
  image_->frames = count;
  if (!image_->geometry.frames.empty()) image_->geometry.frames.resize(std::size_t(count));
}

}  // namespace spokelab
