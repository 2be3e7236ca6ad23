#include "widgets/image/volume/volume_data.h"

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

Index3 reducedSize(const Index3& size, const Index3& blocks) {
  Index3 n;
  for (std::size_t d = 0; d < 3; ++d) n[d] = (size[d] + blocks[d] - 1) / blocks[d];
  return n;
}

// Grows the block along the axis that has most voxels left.
Index3 chooseBlocks(const Index3& size, std::int64_t maximumVoxels) {
  Index3 blocks{1, 1, 1};
  for (;;) {
    const Index3 n = reducedSize(size, blocks);
    if (product(n) <= maximumVoxels) return blocks;
    ++blocks[std::size_t(std::max_element(n.begin(), n.end()) - n.begin())];
  }
}

// Adds one image row's magnitudes to its row of sums, block by block.
void addRow(const cfloat* row, std::int64_t count, std::int64_t block, float* sums) {
  for (std::int64_t x = 0; x < count; ++x) {
    const float power = std::norm(row[x]);
    if (std::isfinite(power)) sums[x / block] += std::sqrt(power);
  }
}

}  // namespace

VolumeData reduceVolume(const Image& image, int frame, std::int64_t maximumVoxels, double high) {
  constexpr double headroom = 2;  // windows may be opened this far above `high`
  VolumeData volume;
  volume.blocks = chooseBlocks(image.size, maximumVoxels);
  volume.size = reducedSize(image.size, volume.blocks);
  volume.axes = pixelAxes(image);
  volume.step = high > 0 ? headroom * high / (VolumeData::levels - 1) : 1;
  const Vec3 firstCentre{(double(volume.blocks[0]) - 1) / 2, (double(volume.blocks[1]) - 1) / 2,
                         (double(volume.blocks[2]) - 1) / 2};
  volume.axes.origin = volume.axes.position(firstCentre);
  for (std::size_t d = 0; d < 3; ++d) volume.spacing[d] = volume.axes.spacing[d] * double(volume.blocks[d]);

  volume.values.resize(std::size_t(product(volume.size)));
  std::vector<float> sums(std::size_t(volume.size[0]));
  const cfloat* data = image.frame(frame);
  const auto extent = [&](std::size_t axis, std::int64_t block) {
    return std::min(volume.blocks[axis], image.size[axis] - block * volume.blocks[axis]);
  };
  std::uint16_t* out = volume.values.data();
  for (std::int64_t z = 0; z < volume.size[2]; ++z) {
    for (std::int64_t y = 0; y < volume.size[1]; ++y) {
      std::fill(sums.begin(), sums.end(), 0.0F);
      const std::int64_t deep = extent(2, z), tall = extent(1, y);
      for (std::int64_t dz = 0; dz < deep; ++dz)
        for (std::int64_t dy = 0; dy < tall; ++dy)
          addRow(data + ((z * volume.blocks[2] + dz) * image.size[1] + y * volume.blocks[1] + dy) *
                            image.size[0],
                 image.size[0], volume.blocks[0], sums.data());
      for (std::int64_t x = 0; x < volume.size[0]; ++x) {
        const double mean = double(sums[std::size_t(x)]) / double(deep * tall * extent(0, x));
        *out++ = std::uint16_t(std::min(mean / volume.step + 0.5, double(VolumeData::levels - 1)));
      }
    }
  }
  return volume;
}

}  // namespace spokelab
