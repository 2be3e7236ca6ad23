// The image that a job fills: its own, or its part of one that other threads fill at the same time.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

// Room for the pixels of a job, [frame, slice or z, y, x], within those of a larger image.
struct ImagePlace {
  cfloat* single = nullptr;  // null: no place is given
  cdouble* wide = nullptr;   // the same place for double precision
};

class JobImage {
 public:
  JobImage() = default;
  // An image of zeros for `frames` frames and these slices. place: memory for its pixels; without
  // one the image allocates them. Throws Error where memory does not suffice.
  JobImage(const Scan& scan, int frames, const std::vector<int>& slices, bool inDouble,
           const ImagePlace& place = {});
  // The same image without pixels, for a job whose pixels another rank keeps.
  static JobImage without(const Scan& scan, int frames, const std::vector<int>& slices);

  // The image; it has no pixels if their place is in a larger image.
  const std::shared_ptr<Image>& image() const { return image_; }
  // The pixels; null if another rank keeps them.
  template <class Real>
  std::complex<Real>* pixels() {
    if constexpr (std::is_same_v<Real, double>)
      return place_.wide ? place_.wide : image_->doubleData.empty() ? nullptr : image_->doubleData.data();
    else
      return place_.single ? place_.single : image_->data.empty() ? nullptr : image_->data.data();
  }
  // Applies finishImage(); does nothing without pixels.
  void finish(int exponent);
  // Keeps the first frames only.
  void keepFrames(int count);

 private:
  std::int64_t count() const { return image_->volume() * image_->frames; }

  std::shared_ptr<Image> image_;
  ImagePlace place_;
};

}  // namespace spokelab
