#include "engine/recon/ranks/shared_image.h"

#include <utility>

namespace spokelab {

ImagePlace SharedImage::place(Ranks& ranks, const Scan& scan, int frames, const std::vector<int>& slices,
                              bool inDouble, std::int64_t first, bool ofSlices, const Progress& progress) {
  if (ranks.isFirst()) {
    whole_ = JobImage::without(scan, frames, slices).image();
    whole_->makeRoom(inDouble, "Cannot reconstruct " + scan.name, "Choose fewer frames, or a smaller matrix");
  }
  ranks.barrier(progress);
  const std::int64_t pixels = first * (ofSlices ? whole_->size[0] * whole_->size[1] : whole_->volume());
  return {whole_->data.data() + pixels, inDouble ? whole_->doubleData.data() + pixels : nullptr};
}

std::shared_ptr<const Image> SharedImage::take(const Image& part) {
  whole_->geometry = part.geometry;
  whole_->name = part.name;
  whole_->provenance = part.provenance;
  return std::exchange(whole_, nullptr);
}

}  // namespace spokelab
