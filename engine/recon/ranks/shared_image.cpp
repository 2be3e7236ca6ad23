#include "engine/recon/ranks/shared_image.h"

#include <utility>

namespace spokelab {

ImagePlace SharedImage::place(Ranks& ranks, const Scan& scan, int frames, const std::vector<int>& slices,
                              bool inDouble, std::int64_t first, bool ofSlices, const Progress& progress) {
  if (ranks.isFirst()) {
    image_ = JobImage::without(scan, frames, slices).image();
    image_->makeRoom(inDouble, "Cannot reconstruct " + scan.name, "Choose fewer frames, or a smaller matrix");
  }
  ranks.barrier(progress);
  const std::int64_t pixels = first * (ofSlices ? image_->size[0] * image_->size[1] : image_->volume());
  return {image_->data.data() + pixels, inDouble ? image_->doubleData.data() + pixels : nullptr};
}

std::shared_ptr<const Image> SharedImage::take(const Image& part) {
  image_->geometry = part.geometry;
  image_->name = part.name;
  image_->provenance = part.provenance;
  return std::exchange(image_, nullptr);
}

}  // namespace spokelab
