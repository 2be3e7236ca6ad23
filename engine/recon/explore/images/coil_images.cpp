#include "engine/recon/explore/images/coil_images.h"

#include <algorithm>
#include <limits>

#include "engine/recon/explore/fit/small_scan.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"

namespace spokelab {
namespace {

// A fixed plan: nothing is tuned for the eye.
ReconOptions plainGridding(const Backend& backend) {
  constexpr double coarse = 1e-2;
  ReconOptions options;
  setAccuracy(options, coarse);
  options.nufft.alpha = 2;
  options.nufft.width = 4;
  options.backend = backend.name();
  return options;
}

Scan coilsAsFrames(const Scan& scan) {
  Scan frames = scan;
  const std::int64_t samples = scan.trajectory(0).samples();
  frames.frames = scan.coils;
  frames.coils = 1;
  frames.noise.clear();
  frames.samples.assign(std::size_t(scan.coils), {});
  for (int c = 0; c < scan.coils; ++c)
    frames.samples[std::size_t(c)].assign(scan.data(0, 0, c), scan.data(0, 0, c) + samples);
  return frames;
}

}  // namespace

RawPicture CoilImages::mosaic(std::int64_t across) const {
  const std::int64_t nx = matrix[0], ny = matrix[1], down = (coils + across - 1) / across;
  RawPicture picture;
  picture.columns = across * nx;
  picture.rows = down * ny;
  picture.width = int(picture.columns);
  picture.height = int(picture.rows);
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  picture.values.assign(std::size_t(picture.columns * picture.rows), cfloat(nothing, nothing));
  for (std::int64_t c = 0; c < coils; ++c)
    for (std::int64_t y = 0; y < ny; ++y)
      std::copy_n(values.begin() + std::ptrdiff_t((c * ny + y) * nx), nx,
                  picture.values.begin() +
                      std::ptrdiff_t(((c / across) * ny + y) * picture.columns + (c % across) * nx));
  return picture;
}

std::int64_t CoilImages::coilAt(std::int64_t column, std::int64_t row, std::int64_t across) const {
  if (column < 0 || row < 0 || column >= across * matrix[0]) return -1;
  const std::int64_t coil = row / matrix[1] * across + column / matrix[0];
  return coil < coils ? coil : -1;
}

CoilImages coilImages(const Scan& scan, int frame, int slice, std::int64_t size, const Progress& progress) {
  const SmallScan small = smallScan(scan, frame, slice, scan.dims() == 3 ? size / 2 : size, false);
  const Scan frames = coilsAsFrames(*small.scan);
  const auto backend = makeCpuBackend();
  const Reconstruction result = runJob(*backend, frames, plainGridding(*backend), nullptr, nullptr, progress);
  if (result.cancelled || !result.image) throw Cancelled{};
  const Image& image = *result.image;
  CoilImages images;
  images.matrix = image.size;
  images.coils = scan.coils;
  const std::int64_t plane = image.size[0] * image.size[1];
  for (std::int64_t c = 0; c < scan.coils; ++c) {
    const auto first = image.data.begin() + std::ptrdiff_t(c * image.volume() + image.size[2] / 2 * plane);
    images.values.insert(images.values.end(), first, first + std::ptrdiff_t(plane));
  }
  return images;
}

}  // namespace spokelab
